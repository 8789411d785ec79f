"""A bare DCB netlink client, which shows the result byte that `dcb` 6.1 can hide. Used as a writer, and to see attributes dcb does not know."""
import socket
import struct

RTM_GETDCB, RTM_SETDCB = 78, 79
NLM_F_REQUEST = 1
IEEE_SET, IEEE_GET, GDCBX, SDCBX, IEEE_DEL = 20, 21, 22, 23, 27
ATTR_IFNAME, ATTR_IEEE, ATTR_DCBX = 1, 13, 14
ETS, PFC, APP_TABLE, MAXRATE, BUFFER, APP_TRUST = 1, 2, 3, 7, 10, 11
IEEE_APP = 1
SELECTOR_DSCP, SELECTOR_PCP = 5, 255
TSA_STRICT, TSA_ETS, TSA_VENDOR = 0, 2, 255


def attribute(kind, payload):
    return struct.pack("=HH", 4 + len(payload), kind) + payload + b"\0" * (-len(payload) % 4)


def attributes(data):
    found = {}
    while len(data) >= 4:
        length, kind = struct.unpack_from("=HH", data)
        if length < 4:
            break
        found[kind & 0x3FFF] = data[4:length]
        data = data[(length + 3) & ~3:]
    return found


def transact(message_type, command, name, body=b""):
    """The reply's attributes; a refusal by the core raises OSError."""
    payload = struct.pack("=BBH", 0, command, 0) + attribute(ATTR_IFNAME, name.encode() + b"\0") + body
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as s:
        s.send(struct.pack("=IHHII", 16 + len(payload), message_type, NLM_F_REQUEST, 1, 0) + payload)
        data = s.recv(65536)
    kind = struct.unpack_from("=IH", data)[1]
    if kind == 2:
        error = -struct.unpack_from("=i", data, 16)[0]
        raise OSError(error, "dcbnl")
    return attributes(data[20:])


def result(reply, kind=ATTR_IEEE):
    return struct.unpack_from("=b", reply[kind])[0]


def ieee_set(name, kind, payload):
    """The signed result byte: 0, a negative errno, or what some drivers leak."""
    return result(transact(RTM_SETDCB, IEEE_SET, name, attribute(ATTR_IEEE, attribute(kind, payload))))


def app_entry(dscp, priority):
    return attribute(APP_TABLE, attribute(IEEE_APP, struct.pack("=BBH", SELECTOR_DSCP, priority, dscp)))


def set_app(name, dscp, priority):
    return result(transact(RTM_SETDCB, IEEE_SET, name, attribute(ATTR_IEEE, app_entry(dscp, priority))))


def del_app(name, dscp, priority):
    return result(transact(RTM_SETDCB, IEEE_DEL, name, attribute(ATTR_IEEE, app_entry(dscp, priority))))


def set_pfc(name, priorities, delay=0):
    return ieee_set(name, PFC, struct.pack("=BBBxH130x", 8, sum(1 << p for p in priorities), 0, delay))


def set_ets(name, tsa=(TSA_STRICT,) * 8, bandwidth=(0,) * 8, prio_tc=tuple(range(8))):
    return ieee_set(name, ETS, bytes(3) + bytes(bandwidth) + bytes(8) + bytes(tsa) + bytes(prio_tc) + bytes(24))


def set_maxrate(name, kbps):
    return ieee_set(name, MAXRATE, struct.pack("=8Q", *kbps))


def set_buffer(name, prio2buffer, size):
    return ieee_set(name, BUFFER, bytes(prio2buffer) + struct.pack("=8II", *size, 0))


def set_apptrust(name, selectors):
    entries = b"".join(attribute(2 if s == SELECTOR_PCP else 1, bytes([s])) for s in selectors)
    return ieee_set(name, APP_TRUST, entries)


def get(name):
    """{nested attribute: payload} of an IEEE_GET."""
    return attributes(transact(RTM_GETDCB, IEEE_GET, name)[ATTR_IEEE])


def get_dcbx(name):
    return transact(RTM_GETDCB, GDCBX, name)[ATTR_DCBX][0]


def set_dcbx(name, mode):
    return transact(RTM_SETDCB, SDCBX, name, attribute(ATTR_DCBX, bytes([mode])))[ATTR_DCBX][0]
