#!/bin/sh
# The settings of one lossless host made the way a shell script makes them: one process for each. RAILS and PORTS are lists of names.
# With MAP=one the 64 DSCPs of a rail go into one command line, as a careful author would write it; with MAP=each every entry is a process.
set -e

# dcb numbers its requests by the time of day in seconds and sends two here: where a second ends between them it reports a
# protocol error for a write that was made (guest/host.py, dcb_set). What really fails does so again, aloud.
dcb_set() {
    dcb "$@" 2> /dev/null || dcb "$@"
}

for rail in $RAILS; do
    dcb dcbx set dev "$rail" host ieee cee
    dcb_set pfc set dev "$rail" prio-pfc all:off 3:on
    dcb_set buffer set dev "$rail" prio-buffer all:0 3:1
    map=
    dscp=0
    while [ $dscp -lt 64 ]; do
        priority=$((dscp >> 3))
        [ $dscp -ne 26 ] || priority=3
        map="$map $dscp:$priority"
        [ "$MAP" != each ] || dcb app add dev "$rail" dscp-prio $dscp:$priority
        dscp=$((dscp + 1))
    done
    [ "$MAP" = each ] || dcb app add dev "$rail" dscp-prio $map
    for side in roce_rp roce_np; do
        for priority in 0 1 2 3 4 5 6 7; do
            value=0
            [ $priority -ne 3 ] || value=1
            sh -c "echo $value > /sys/class/net/$rail/ecn/$side/enable/$priority"
        done
    done
done
for port in $PORTS; do
    setpci -s "$port" ECAP_ACS+6.w=0011
done
