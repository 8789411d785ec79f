// SPDX-License-Identifier: GPL-2.0
/*
 * fabric_lab: RoCE rails and GPUs for a virtual machine.
 *
 * QEMU has no device with DCB. This module takes QEMU's `edu` functions, gives each the PCI identity of a real device, and registers for the
 * NICs among them a net device whose dcbnl, ethtool and ECN interfaces behave like one of several real drivers, including the ways in which
 * those drivers mislead a client. The behaviour of the drivers is described from the outside; no driver code is copied.
 *
 * Everything is steered and witnessed below /sys/kernel/fabric_lab. It is sysfs and not debugfs because debugfs is closed under lockdown,
 * where some scenarios need their witness most:
 *
 *   roles                 read: one line per function; write "INDEX ROLE": the function is unbound, gets the role, and is bound again
 *   most_down             how many rails were without carrier at one time because of a PFC change; write anything to start again
 *   railN/flags           read: all flags; write "NAME=VALUE ..."; "count.NAME=VALUE" is a statistic of ethtool -S under a name of your own
 *   railN/hardware        what the (imagined) registers hold, as JSON: the truth behind the kernel's APP list
 *   railN/log             every setter call: sequence, operation, argument, result; write anything to clear
 *   railN/trigger         write "[after=MS] NAME=VALUE ...": the value changes by itself, with no netlink notification
 *   railN/reset           write anything: as after module load, with counters, log and flags cleared
 *   railN/interface       present name of the net device
 */
#include <linux/debugfs.h>
#include <linux/dcbnl.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <linux/sysfs.h>
#include <linux/utsname.h>
#include <linux/version.h>
#include <net/dcbnl.h>

#define HAVE_APPTRUST (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0))

#define EDU_VENDOR 0x1234
#define EDU_DEVICE 0x11e8
#define MAX_FUNCTIONS 64
#define DSCPS 64
#define PRIOS 8
#define LOG_SIZE (64 * 1024)
#define MAX_COUNTED 64
#define SELECTOR_PCP 255 /* the 6.1 headers have no name for it */

static char *roles = "";
module_param(roles, charp, 0444);
MODULE_PARM_DESC(roles, "comma separated roles in bus order; default: the first half mlx5, the rest gpu");
static char *flags = "";
module_param(flags, charp, 0444);
MODULE_PARM_DESC(flags, "INDEX:NAME=VALUE, comma separated: flags that a rail has from the start");

/* ------------------------------------------------------------------ roles */

enum role { ROLE_NONE, ROLE_MLX5, ROLE_BNXT, ROLE_ICE, ROLE_NODCB, ROLE_APPTRUST, ROLE_SOFTAPP, ROLE_GPU, ROLE_GPU_AMD, ROLE_NVSWITCH,
	    ROLE_AUDIO, ROLE_VGA, ROLE_GPU_BARE, ROLES };
enum { DRV_MLX5, DRV_BNXT, DRV_ICE, DRV_PLAIN, DRIVERS };

struct role_info {
	const char *name;
	bool nic;
	int driver;
	u16 vendor, device;
	u32 class;
	const char *firmware;
};

static const struct role_info role_info[ROLES] = {
	[ROLE_NONE] = { "none" },
	[ROLE_MLX5] = { "mlx5", true, DRV_MLX5, 0x15b3, 0x1021, 0x020000, "28.39.1002 (MT_0000000838)" },
	[ROLE_BNXT] = { "bnxt", true, DRV_BNXT, 0x14e4, 0x1750, 0x020000, "226.0.145.0/pkg 226.1.107.0" },
	[ROLE_ICE] = { "ice", true, DRV_ICE, 0x8086, 0x1592, 0x020000, "4.40 0x8001c7d4 1.3534.0" },
	[ROLE_NODCB] = { "nodcb", true, DRV_PLAIN, 0x1dd8, 0x1002, 0x020000, "1.103.1" },
	/* Two devices that exist nowhere, for the ways in which the core lets a driver take part. */
	[ROLE_APPTRUST] = { "apptrust", true, DRV_PLAIN, EDU_VENDOR, EDU_DEVICE, 0x020000, "1" },
	[ROLE_SOFTAPP] = { "softapp", true, DRV_PLAIN, EDU_VENDOR, EDU_DEVICE, 0x020000, "1" },
	[ROLE_GPU] = { "gpu", false, DRV_PLAIN, 0x10de, 0x2330, 0x030200 },
	[ROLE_GPU_AMD] = { "gpu_amd", false, DRV_PLAIN, 0x1002, 0x74a1, 0x120000 },
	/* Look-alikes of a GPU. */
	[ROLE_NVSWITCH] = { "nvswitch", false, DRV_PLAIN, 0x10de, 0x22a3, 0x068000 },
	[ROLE_AUDIO] = { "audio", false, DRV_PLAIN, 0x10de, 0x22ba, 0x040300 },
	[ROLE_VGA] = { "vga", false, DRV_PLAIN, 0x102b, 0x0538, 0x030000 },
	/* The identity without a driver, so that vfio-pci can be bound to it. */
	[ROLE_GPU_BARE] = { "gpu_bare", false, DRIVERS, 0x10de, 0x2330, 0x030200 },
};

static const char *const driver_names[DRIVERS] = { "mlx5_core", "bnxt_en", "ice", "fabric_lab" };

struct lab_function {
	int domain;
	u8 bus, devfn;
	enum role role;
	struct lab_rail *rail;
};

static struct lab_function functions[MAX_FUNCTIONS];
static int function_count;
static struct kobject *lab_root;
static struct dentry *lab_debugfs_mlx5;
/* Serialises binding, role changes and the ECN tree. Taken before RTNL, never inside it. */
static DEFINE_MUTEX(lab_lock);
static atomic_t down_now = ATOMIC_INIT(0);
static atomic_t down_most = ATOMIC_INIT(0);

/* ------------------------------------------------------------------- rail */

enum setter { SET_PFC, SET_ETS, SET_MAXRATE, SET_BUFFER, SET_APP, DEL_APP, SET_DCBX, SET_APPTRUST, SET_PAUSE, CHANGE_MTU, ECN_STORE, SETTERS };
static const char *const setter_names[SETTERS] = { "setpfc", "setets", "setmaxrate", "setbuffer", "setapp", "delapp", "setdcbx", "setapptrust",
						   "setpauseparam", "change_mtu", "ecn_store" };
enum getter { GET_PFC, GET_ETS, GET_MAXRATE, GET_BUFFER, GET_APPTRUST, GETTERS };
static const char *const getter_names[GETTERS] = { "getpfc", "getets", "getmaxrate", "getbuffer", "getapptrust" };

struct fault {
	bool armed;
	bool change; /* the value moves although the result says otherwise */
	int result;
};

enum ecn_mode { ECN_PRESENT, ECN_ABSENT, ECN_EMPTY, ECN_INBOX, ECN_MODES };
static const char *const ecn_mode_names[ECN_MODES] = { "present", "absent", "empty", "inbox" };

enum number { BOUNCE_MS, CARRIER_RETURNS, FIRMWARE_DCBX, LOSSLESS_MIN, PFC_BUFFERS, MAXRATE_WRAP, FAULT_DSCP, SPEED, MAX_LLTC, WIRE, DELAY_MS, NUMBERS };
static const struct {
	const char *name;
	int initial;
} number_info[NUMBERS] = {
	[BOUNCE_MS] = { "bounce_ms", 200 }, /* how long the carrier is away after a PFC change */
	[CARRIER_RETURNS] = { "carrier_returns", 1 }, /* 0: it never comes back */
	[FIRMWARE_DCBX] = { "firmware_dcbx", 0 }, /* the firmware's LLDP agent owns DCBX */
	[LOSSLESS_MIN] = { "lossless_min", 65424 }, /* bytes a lossless buffer needs, else -ENOMEM */
	[PFC_BUFFERS] = { "pfc_buffers", 0 }, /* setpfc checks the buffers too, after it has written PFC */
	[MAXRATE_WRAP] = { "maxrate_wrap", 0 }, /* rates above 255 Gb/s wrap instead of being refused */
	[FAULT_DSCP] = { "fault_dscp", -1 }, /* a setapp or delapp fault concerns this DSCP only */
	[SPEED] = { "speed", 100000 },
	[MAX_LLTC] = { "max_lltc", 2 }, /* bnxt: lossless traffic classes */
	[DELAY_MS] = { "delay_ms", 0 }, /* how long every setter takes */
	[WIRE] = { "wire", -1 }, /* index of the rail that receives what this one sends */
};

struct lab_rail;
struct rail_attribute {
	struct kobj_attribute attribute;
	struct lab_rail *rail;
	bool notification; /* NP, else RP */
	int priority; /* -1: cnp_dscp and the like */
	int which;
};

enum np_file { NP_CNP_DSCP, NP_CNP_PRIO, NP_MIN_TIME, NP_FILES };
static const char *const np_file_names[NP_FILES] = { "cnp_dscp", "cnp_802p_prio", "min_time_between_cnps" };

enum rail_file { FILE_FLAGS, FILE_HARDWARE, FILE_TRIGGER, FILE_RESET, FILE_INTERFACE, RAIL_FILES };

enum trigger { TRIGGER_PFC, TRIGGER_DCBX, TRIGGER_APP, TRIGGER_TRUST, TRIGGER_PAUSE, TRIGGER_ECN_RP, TRIGGER_ECN_NP, TRIGGER_BUFFER_OF, TRIGGERS };
static const char *const trigger_names[TRIGGERS] = { "pfc", "dcbx", "app", "trust", "pause", "ecn_rp", "ecn_np", "buffer_of" };

struct lab_rail {
	struct net_device *dev;
	struct pci_dev *pdev;
	int index;
	enum role role;

	/* Steering. All of it, and all of the registers below, is guarded by RTNL. */
	struct fault setter_fault[SETTERS];
	int getter_error[GETTERS];
	int number[NUMBERS];
	enum ecn_mode ecn_mode; /* guarded by lab_lock */

	/* Registers. */
	bool trust_dscp;
	u8 dscp_prio[DSCPS];
	int dscp_entries;
	u8 pfc_en;
	u16 pfc_delay;
	struct ieee_ets ets;
	bool ets_set;
	u64 maxrate[PRIOS];
	struct dcbnl_buffer buffer;
	u8 dcbx;
	u8 apptrust[8];
	int apptrust_count;
	bool pause_rx, pause_tx;
	u8 ecn_enable[2]; /* RP, NP */
	u32 np[NP_FILES];

	/* Witness. */
	u64 calls[SETTERS], refused[SETTERS], bounces;
	struct { char name[ETH_GSTRING_LEN]; u64 value; } counted[MAX_COUNTED];
	int counted_used;
	unsigned long bouncing; /* bit 0: counted in down_now */
	bool signal; /* the far end is there; the carrier follows while the port is open */
	char *log;
	size_t log_used;
	unsigned int log_sequence;

	struct delayed_work carrier_back;
	struct delayed_work trigger_work;
	bool trigger_set[TRIGGERS];
	int trigger_value[TRIGGERS], trigger_second[TRIGGERS];

	struct kobject *directory;
	struct rail_attribute files[RAIL_FILES];
	struct bin_attribute log_file;

	struct kobject *ecn, *ecn_side[2], *ecn_enable_dir[2];
	struct rail_attribute ecn_files[2][PRIOS];
	struct rail_attribute np_files[NP_FILES];
	struct dentry *cc_params;
};

static const struct dcbnl_rtnl_ops *operations_of(enum role role);

static struct lab_rail *rail_of(struct net_device *dev)
{
	return netdev_priv(dev);
}

static __printf(4, 5) int finish(struct lab_rail *r, enum setter s, int rc, const char *fmt, ...)
{
	char argument[96];
	va_list args;

	va_start(args, fmt);
	vsnprintf(argument, sizeof(argument), fmt, args);
	va_end(args);
	if (r->number[DELAY_MS])
		msleep(r->number[DELAY_MS]);
	r->calls[s]++;
	if (rc)
		r->refused[s]++;
	r->log_sequence++;
	if (r->log_used < LOG_SIZE)
		r->log_used += scnprintf(r->log + r->log_used, LOG_SIZE - r->log_used, "%u %s %s %d\n", r->log_sequence, setter_names[s],
					 argument, rc);
	return rc;
}

/* A fault replaces the result; without `change` it also keeps the value from moving. A refusal by the model itself stands. */
#define WITH_FAULT(r, s, model)                                                  \
	({                                                                       \
		struct fault *f_ = &(r)->setter_fault[s];                        \
		int rc_ = f_->armed && !f_->change ? 0 : (model);                \
		f_->armed && rc_ >= 0 ? f_->result : rc_;                        \
	})

/* ----------------------------------------------------- what the hardware does */

static u8 initial_dcbx(const struct lab_rail *r)
{
	bool firmware = r->number[FIRMWARE_DCBX];

	switch (r->role) {
	case ROLE_MLX5:
		return DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE | (firmware ? 0 : DCB_CAP_DCBX_HOST);
	case ROLE_ICE:
	case ROLE_BNXT:
		return DCB_CAP_DCBX_VER_IEEE | (firmware ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST);
	default:
		return DCB_CAP_DCBX_VER_IEEE | DCB_CAP_DCBX_HOST;
	}
}

static void registers_reset(struct lab_rail *r)
{
	int i;

	r->trust_dscp = false;
	r->dscp_entries = 0;
	for (i = 0; i < DSCPS; i++)
		r->dscp_prio[i] = r->role == ROLE_MLX5 ? i >> 3 : 0;
	r->pfc_en = 0;
	r->pfc_delay = r->role == ROLE_MLX5 ? 7 : 0;
	memset(&r->ets, 0, sizeof(r->ets));
	r->ets_set = false;
	if (r->role == ROLE_MLX5) {
		for (i = 0; i < PRIOS; i++) {
			r->ets.prio_tc[i] = i < 2 ? 1 - i : i;
			r->ets.tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		}
	} else if (r->role != ROLE_BNXT) {
		r->ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
		r->ets.tc_tx_bw[0] = 100;
	}
	memset(r->maxrate, 0, sizeof(r->maxrate));
	memset(&r->buffer, 0, sizeof(r->buffer));
	r->buffer.buffer_size[0] = 20016;
	r->buffer.buffer_size[1] = 156096;
	r->buffer.total_size = 1027728;
	r->dcbx = initial_dcbx(r);
	r->apptrust_count = 1;
	r->apptrust[0] = SELECTOR_PCP;
	r->pause_rx = r->pause_tx = r->role == ROLE_MLX5;
	r->ecn_enable[0] = r->ecn_enable[1] = 0;
	r->np[NP_CNP_DSCP] = 48;
	r->np[NP_CNP_PRIO] = 6;
	r->np[NP_MIN_TIME] = 4;
}

static void bounce(struct lab_rail *r)
{
	r->bounces++;
	if (!netif_running(r->dev))
		return;
	r->signal = false;
	netif_carrier_off(r->dev);
	if (!test_and_set_bit(0, &r->bouncing) && atomic_inc_return(&down_now) > atomic_read(&down_most))
		atomic_set(&down_most, atomic_read(&down_now));
	if (r->number[CARRIER_RETURNS])
		mod_delayed_work(system_wq, &r->carrier_back, msecs_to_jiffies(r->number[BOUNCE_MS]));
}

static void carrier_returns(struct lab_rail *r)
{
	if (test_and_clear_bit(0, &r->bouncing))
		atomic_dec(&down_now);
	r->signal = true;
	if (netif_running(r->dev))
		netif_carrier_on(r->dev);
}

static void carrier_back(struct work_struct *work)
{
	carrier_returns(container_of(to_delayed_work(work), struct lab_rail, carrier_back));
}

static bool host_owns(const struct lab_rail *r)
{
	return (r->dcbx & DCB_CAP_DCBX_VER_IEEE) && (r->dcbx & DCB_CAP_DCBX_HOST);
}

/* What bnxt and ice ask before every setter. mlx5 does not: it writes and lets the firmware overwrite later. */
static int owner_check(const struct lab_rail *r)
{
	return (r->role == ROLE_BNXT || r->role == ROLE_ICE) && !host_owns(r) ? -EINVAL : 0;
}

static bool buffer_lossless(const u8 *prio2buffer, u8 pfc, int buffer)
{
	int p;

	for (p = 0; p < PRIOS; p++)
		if ((pfc & BIT(p)) && prio2buffer[p] == buffer)
			return true;
	return false;
}

static int buffers_fit(const struct lab_rail *r, const struct dcbnl_buffer *b, u8 pfc)
{
	u64 used = 0;
	int i;

	for (i = 0; i < DCBX_MAX_BUFFERS; i++) {
		used += b->buffer_size[i];
		if (!buffer_lossless(b->prio2buffer, pfc, i))
			continue;
		if (!b->buffer_size[i])
			return -EINVAL;
		if (b->buffer_size[i] < (u32)r->number[LOSSLESS_MIN])
			return -ENOMEM;
	}
	return used > r->buffer.total_size ? -EINVAL : 0;
}

static int model_setpfc(struct lab_rail *r, const struct ieee_pfc *pfc)
{
	bool changed = r->pfc_en != pfc->pfc_en;
	int rc = owner_check(r);

	if (rc)
		return rc;
	if (r->role == ROLE_BNXT && !r->ets_set)
		return -EINVAL;
	if (r->role == ROLE_BNXT && hweight8(pfc->pfc_en) > r->number[MAX_LLTC])
		return -EINVAL;
	r->pfc_en = pfc->pfc_en;
	if (r->role == ROLE_MLX5 && changed) {
		r->pause_rx = r->pause_tx = false;
		bounce(r);
	}
	if (r->role == ROLE_MLX5 && pfc->delay > 0 && pfc->delay < 1000)
		r->pfc_delay = pfc->delay;
	if (r->role == ROLE_MLX5 && r->number[PFC_BUFFERS]) /* too late to refuse: PFC has moved */
		return buffers_fit(r, &r->buffer, r->pfc_en);
	return r->role == ROLE_ICE && !changed ? 1 : 0;
}

static int model_setets(struct lab_rail *r, const struct ieee_ets *ets)
{
	int i, sum = 0, rc = owner_check(r);
	bool any = false, changed;

	if (rc)
		return rc;
	for (i = 0; i < PRIOS; i++) {
		if (ets->prio_tc[i] >= PRIOS)
			return -EINVAL;
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_CB_SHAPER:
			return -EOPNOTSUPP;
		case IEEE_8021QAZ_TSA_ETS:
			any = true;
			sum += ets->tc_tx_bw[i];
			break;
		case IEEE_8021QAZ_TSA_VENDOR:
			if (r->role == ROLE_BNXT)
				return -ENOTSUPP;
			break;
		}
	}
	if (any && sum != 100)
		return -EINVAL;
	changed = memcmp(r->ets.tc_tx_bw, ets->tc_tx_bw, PRIOS) || memcmp(r->ets.tc_tsa, ets->tc_tsa, PRIOS) ||
		  memcmp(r->ets.prio_tc, ets->prio_tc, PRIOS);
	memcpy(r->ets.tc_tx_bw, ets->tc_tx_bw, PRIOS);
	memcpy(r->ets.tc_tsa, ets->tc_tsa, PRIOS);
	memcpy(r->ets.prio_tc, ets->prio_tc, PRIOS);
	r->ets_set = true;
	return r->role == ROLE_ICE && !changed ? 1 : 0;
}

#define MBIT_100 100000ULL
#define GBIT 1000000ULL
static int model_setmaxrate(struct lab_rail *r, const struct ieee_maxrate *rate)
{
	u64 rounded[PRIOS];
	int i;

	for (i = 0; i < PRIOS; i++) {
		u64 kbps = rate->tc_maxrate[i];

		if (kbps && kbps < MBIT_100)
			kbps = MBIT_100;
		if (kbps <= 255 * MBIT_100) {
			rounded[i] = kbps / MBIT_100 * MBIT_100;
		} else if (kbps <= 255 * GBIT) {
			rounded[i] = kbps / GBIT * GBIT;
		} else if (r->number[MAXRATE_WRAP]) {
			rounded[i] = (u8)(kbps / GBIT) * GBIT;
		} else {
			return -EINVAL;
		}
	}
	memcpy(r->maxrate, rounded, sizeof(rounded));
	return 0;
}

#define BUFFER_CELL 144
static int model_setbuffer(struct lab_rail *r, const struct dcbnl_buffer *wanted)
{
	struct dcbnl_buffer b = *wanted;
	int i, rc;

	for (i = 0; i < DCBX_MAX_BUFFERS; i++)
		b.buffer_size[i] = b.buffer_size[i] / BUFFER_CELL * BUFFER_CELL;
	rc = buffers_fit(r, &b, r->pfc_en);
	if (rc)
		return rc;
	memcpy(r->buffer.prio2buffer, b.prio2buffer, sizeof(b.prio2buffer));
	memcpy(r->buffer.buffer_size, b.buffer_size, sizeof(b.buffer_size));
	return 0;
}

static int app_list_delete(struct lab_rail *r, int dscp, int prio)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = dscp, .priority = prio };

	return dcb_ieee_delapp(r->dev, &app);
}

static int app_list_add(struct lab_rail *r, int dscp, int prio)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = dscp, .priority = prio };

	return dcb_ieee_setapp(r->dev, &app);
}

static u8 app_list_mask(struct lab_rail *r, int dscp)
{
	struct dcb_app app = { .selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = dscp };

	return dcb_ieee_getapp_mask(r->dev, &app);
}

/* Set is replace, and the first entry flips trust for all traffic. */
static int mlx5_setapp(struct lab_rail *r, const struct dcb_app *app)
{
	bool replaced;
	int rc;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS || app->priority >= PRIOS)
		return -EINVAL;
	if (!r->dscp_entries)
		r->trust_dscp = true;
	replaced = app_list_delete(r, app->protocol, r->dscp_prio[app->protocol]) == 0;
	r->dscp_prio[app->protocol] = app->priority;
	rc = app_list_add(r, app->protocol, app->priority);
	if (!rc && !replaced)
		r->dscp_entries++;
	return rc;
}

/* A deleted DSCP goes to priority 0 and not back to dscp>>3; the last one takes trust with it. */
static int mlx5_delapp(struct lab_rail *r, const struct dcb_app *app)
{
	int rc;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS)
		return -EINVAL;
	if (!r->dscp_entries || app->priority != r->dscp_prio[app->protocol])
		return -ENOENT;
	rc = app_list_delete(r, app->protocol, app->priority);
	if (rc)
		return rc;
	r->dscp_prio[app->protocol] = 0;
	if (!--r->dscp_entries)
		r->trust_dscp = false;
	return 0;
}

/* The list is edited before the firmware is asked: `refused` comes back with the entry left in the list. */
static int bnxt_setapp(struct lab_rail *r, const struct dcb_app *app, int refused)
{
	struct dcb_app copy = *app;
	int rc = owner_check(r);

	if (rc)
		return rc;
	rc = dcb_ieee_setapp(r->dev, &copy);
	if (rc)
		return rc;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
		return 0;
	if (app->protocol >= DSCPS)
		return -EINVAL;
	if (refused)
		return refused;
	r->dscp_prio[app->protocol] = app->priority;
	r->dscp_entries++;
	r->trust_dscp = true;
	return 0;
}

static int bnxt_delapp(struct lab_rail *r, const struct dcb_app *app, int refused)
{
	struct dcb_app copy = *app;
	int rc = owner_check(r);

	if (rc)
		return rc;
	rc = dcb_ieee_delapp(r->dev, &copy);
	if (rc || app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS)
		return rc;
	if (refused)
		return refused;
	r->dscp_prio[app->protocol] = 0;
	r->trust_dscp = --r->dscp_entries > 0;
	return 0;
}

static int ice_setapp(struct lab_rail *r, const struct dcb_app *app)
{
	int rc = owner_check(r);

	if (rc)
		return rc;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS || app->priority >= PRIOS)
		return -EINVAL;
	if (app_list_mask(r, app->protocol))
		return -EINVAL;
	if (app_list_add(r, app->protocol, app->priority))
		return 1;
	r->dscp_prio[app->protocol] = app->priority;
	r->dscp_entries++;
	r->trust_dscp = true;
	return 0;
}

static int ice_delapp(struct lab_rail *r, const struct dcb_app *app)
{
	int rc = owner_check(r);

	if (rc)
		return rc;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS)
		return -EINVAL;
	rc = app_list_delete(r, app->protocol, app->priority);
	if (rc)
		return rc;
	r->dscp_prio[app->protocol] = 0;
	r->dscp_entries--;
	if (!r->dscp_entries) { /* back to VLAN mode, with the defaults of it */
		r->trust_dscp = false;
		r->pfc_en = 0;
	}
	return 0;
}

static int plain_setapp(struct lab_rail *r, const struct dcb_app *app)
{
	u8 mask;
	int p, rc;

	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= DSCPS || app->priority >= PRIOS)
		return -EINVAL;
	mask = app_list_mask(r, app->protocol);
	for (p = 0; p < PRIOS; p++)
		if (mask & BIT(p))
			app_list_delete(r, app->protocol, p);
	rc = app_list_add(r, app->protocol, app->priority);
	if (rc)
		return rc;
	r->dscp_entries += !mask;
	r->dscp_prio[app->protocol] = app->priority;
	return 0;
}

static int plain_delapp(struct lab_rail *r, const struct dcb_app *app)
{
	int rc = app_list_delete(r, app->protocol, app->priority);

	if (rc)
		return rc;
	r->dscp_entries--;
	r->dscp_prio[app->protocol] = 0;
	return 0;
}

/* ------------------------------------------------------------------ dcbnl */

static int lab_setpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_PFC, WITH_FAULT(r, SET_PFC, model_setpfc(r, pfc)), "pfc_en=0x%02x,delay=%u", pfc->pfc_en, pfc->delay);
}

static int lab_getpfc(struct net_device *dev, struct ieee_pfc *pfc)
{
	struct lab_rail *r = rail_of(dev);

	if (r->getter_error[GET_PFC])
		return r->getter_error[GET_PFC];
	memset(pfc, 0, sizeof(*pfc));
	pfc->pfc_cap = r->role == ROLE_BNXT ? r->number[MAX_LLTC] : PRIOS;
	pfc->pfc_en = r->pfc_en;
	pfc->delay = r->pfc_delay;
	return 0;
}

static int lab_setets(struct net_device *dev, struct ieee_ets *ets)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_ETS, WITH_FAULT(r, SET_ETS, model_setets(r, ets)), "prio_tc=%*ph,tsa=%*ph,bw=%*ph", PRIOS, ets->prio_tc, PRIOS,
		      ets->tc_tsa, PRIOS, ets->tc_tx_bw);
}

static int lab_getets(struct net_device *dev, struct ieee_ets *ets)
{
	struct lab_rail *r = rail_of(dev);

	if (r->getter_error[GET_ETS])
		return r->getter_error[GET_ETS];
	*ets = r->ets;
	ets->ets_cap = PRIOS;
	return 0;
}

static int lab_setmaxrate(struct net_device *dev, struct ieee_maxrate *rate)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_MAXRATE, WITH_FAULT(r, SET_MAXRATE, model_setmaxrate(r, rate)), "kbps=%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu",
		      rate->tc_maxrate[0], rate->tc_maxrate[1], rate->tc_maxrate[2], rate->tc_maxrate[3], rate->tc_maxrate[4],
		      rate->tc_maxrate[5], rate->tc_maxrate[6], rate->tc_maxrate[7]);
}

static int lab_getmaxrate(struct net_device *dev, struct ieee_maxrate *rate)
{
	struct lab_rail *r = rail_of(dev);

	if (r->getter_error[GET_MAXRATE])
		return r->getter_error[GET_MAXRATE];
	memcpy(rate->tc_maxrate, r->maxrate, sizeof(r->maxrate));
	return 0;
}

static int lab_setbuffer(struct net_device *dev, struct dcbnl_buffer *b)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_BUFFER, WITH_FAULT(r, SET_BUFFER, model_setbuffer(r, b)), "prio2buffer=%*ph,size=%u,%u,%u,%u,%u,%u,%u,%u", PRIOS,
		      b->prio2buffer, b->buffer_size[0], b->buffer_size[1], b->buffer_size[2], b->buffer_size[3], b->buffer_size[4],
		      b->buffer_size[5], b->buffer_size[6], b->buffer_size[7]);
}

static int lab_getbuffer(struct net_device *dev, struct dcbnl_buffer *b)
{
	struct lab_rail *r = rail_of(dev);

	if (r->getter_error[GET_BUFFER])
		return r->getter_error[GET_BUFFER];
	*b = r->buffer;
	return 0;
}

static bool fault_concerns(const struct lab_rail *r, enum setter s, const struct dcb_app *app)
{
	return r->setter_fault[s].armed && (r->number[FAULT_DSCP] < 0 || r->number[FAULT_DSCP] == app->protocol);
}

static int model_app(struct lab_rail *r, enum setter s, const struct dcb_app *app)
{
	const struct fault *f = &r->setter_fault[s];
	bool faulty = fault_concerns(r, s, app);
	/* On bnxt an error is the firmware's, which comes after the list was edited. */
	int firmware = faulty && r->role == ROLE_BNXT && f->result < 0 && !f->change ? f->result : 0;
	int rc;

	if (faulty && !f->change && !firmware)
		return f->result;
	switch (r->role) {
	case ROLE_MLX5:
		rc = s == SET_APP ? mlx5_setapp(r, app) : mlx5_delapp(r, app);
		break;
	case ROLE_BNXT:
		rc = s == SET_APP ? bnxt_setapp(r, app, firmware) : bnxt_delapp(r, app, firmware);
		break;
	case ROLE_ICE:
		rc = s == SET_APP ? ice_setapp(r, app) : ice_delapp(r, app);
		break;
	default:
		rc = s == SET_APP ? plain_setapp(r, app) : plain_delapp(r, app);
	}
	return faulty && rc >= 0 ? f->result : rc;
}

static int lab_setapp(struct net_device *dev, struct dcb_app *app)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_APP, model_app(r, SET_APP, app), "%u,%u:%u", app->selector, app->protocol, app->priority);
}

static int lab_delapp(struct net_device *dev, struct dcb_app *app)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, DEL_APP, model_app(r, DEL_APP, app), "%u,%u:%u", app->selector, app->protocol, app->priority);
}

static u8 lab_getdcbx(struct net_device *dev)
{
	return rail_of(dev)->dcbx;
}

static int model_setdcbx(struct lab_rail *r, u8 mode)
{
	switch (r->role) {
	case ROLE_MLX5:
		if (mode & DCB_CAP_DCBX_LLD_MANAGED)
			return 1;
		if (!mode) {
			r->dcbx &= ~DCB_CAP_DCBX_HOST;
			return 0;
		}
		if (!(mode & DCB_CAP_DCBX_HOST))
			return 1;
		r->dcbx = mode; /* verbatim: HOST alone loses the version bits */
		return 0;
	case ROLE_BNXT:
		if ((mode & DCB_CAP_DCBX_VER_CEE) || !(mode & DCB_CAP_DCBX_VER_IEEE) || r->number[FIRMWARE_DCBX])
			return 1;
		r->dcbx = mode;
		return 0;
	case ROLE_ICE:
		if (r->number[FIRMWARE_DCBX] || (mode & DCB_CAP_DCBX_LLD_MANAGED) || !(mode & DCB_CAP_DCBX_HOST))
			return 1;
		if ((mode & DCB_CAP_DCBX_VER_CEE) && (mode & DCB_CAP_DCBX_VER_IEEE))
			return 1;
		if (mode == r->dcbx)
			return 1; /* "no change", which looks like "failed" */
		r->dcbx = mode;
		return 0;
	default:
		r->dcbx = mode;
		return 0;
	}
}

static u8 lab_setdcbx(struct net_device *dev, u8 mode)
{
	struct lab_rail *r = rail_of(dev);
	int rc = WITH_FAULT(r, SET_DCBX, model_setdcbx(r, mode));

	return finish(r, SET_DCBX, rc ? 1 : 0, "0x%02x", mode);
}

static u8 lab_getcap(struct net_device *dev, int id, u8 *cap)
{
	switch (id) {
	case DCB_CAP_ATTR_PG:
	case DCB_CAP_ATTR_PFC:
		*cap = true;
		return 0;
	case DCB_CAP_ATTR_PG_TCS:
	case DCB_CAP_ATTR_PFC_TCS:
		*cap = 1 << 7;
		return 0;
	case DCB_CAP_ATTR_DCBX:
		*cap = rail_of(dev)->dcbx;
		return 0;
	default:
		*cap = false;
		return 0;
	}
}

#if HAVE_APPTRUST
static int lab_setapptrust(struct net_device *dev, u8 *selectors, int count)
{
	struct lab_rail *r = rail_of(dev);
	const struct fault *f = &r->setter_fault[SET_APPTRUST];
	int rc = f->armed ? f->result : 0;

	if (count > (int)sizeof(r->apptrust))
		rc = -EOPNOTSUPP;
	if (!rc && !(f->armed && !f->change)) {
		memcpy(r->apptrust, selectors, count);
		r->apptrust_count = count;
	}
	return finish(r, SET_APPTRUST, rc, "%*ph", count, selectors);
}

static int lab_getapptrust(struct net_device *dev, u8 *selectors, int *count)
{
	struct lab_rail *r = rail_of(dev);

	if (r->getter_error[GET_APPTRUST])
		return r->getter_error[GET_APPTRUST];
	memcpy(selectors, r->apptrust, r->apptrust_count);
	*count = r->apptrust_count;
	return 0;
}
#endif

#define COMMON_OPERATIONS                                                                                                  \
	.ieee_getets = lab_getets, .ieee_setets = lab_setets, .ieee_getpfc = lab_getpfc, .ieee_setpfc = lab_setpfc, \
	.getdcbx = lab_getdcbx, .setdcbx = lab_setdcbx, .getcap = lab_getcap

static const struct dcbnl_rtnl_ops mlx5_operations = {
	COMMON_OPERATIONS,
	.ieee_getmaxrate = lab_getmaxrate,
	.ieee_setmaxrate = lab_setmaxrate,
	.ieee_setapp = lab_setapp,
	.ieee_delapp = lab_delapp,
	.dcbnl_getbuffer = lab_getbuffer,
	.dcbnl_setbuffer = lab_setbuffer,
};

/* Neither max rate nor buffers: the core skips those attributes and answers 0. */
static const struct dcbnl_rtnl_ops firmware_operations = {
	COMMON_OPERATIONS,
	.ieee_setapp = lab_setapp,
	.ieee_delapp = lab_delapp,
};

static const struct dcbnl_rtnl_ops apptrust_operations = {
	COMMON_OPERATIONS,
	.ieee_getmaxrate = lab_getmaxrate,
	.ieee_setmaxrate = lab_setmaxrate,
	.ieee_setapp = lab_setapp,
	.ieee_delapp = lab_delapp,
#if HAVE_APPTRUST
	.dcbnl_setapptrust = lab_setapptrust,
	.dcbnl_getapptrust = lab_getapptrust,
#endif
};

/* No APP operations: the core keeps a list that no hardware has ever seen. */
static const struct dcbnl_rtnl_ops softapp_operations = {
	COMMON_OPERATIONS,
};

static const struct dcbnl_rtnl_ops *operations_of(enum role role)
{
	switch (role) {
	case ROLE_MLX5:
		return &mlx5_operations;
	case ROLE_BNXT:
	case ROLE_ICE:
		return &firmware_operations;
	case ROLE_APPTRUST:
		return &apptrust_operations;
	case ROLE_SOFTAPP:
		return &softapp_operations;
	default:
		return NULL;
	}
}

/* ---------------------------------------------------------------- ethtool */

static void lab_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct lab_rail *r = rail_of(dev);

	strscpy(info->driver, driver_names[role_info[r->role].driver], sizeof(info->driver));
	strscpy(info->version, utsname()->release, sizeof(info->version));
	strscpy(info->fw_version, role_info[r->role].firmware, sizeof(info->fw_version));
	strscpy(info->bus_info, pci_name(r->pdev), sizeof(info->bus_info));
}

static int lab_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *link)
{
	ethtool_link_ksettings_zero_link_mode(link, supported);
	ethtool_link_ksettings_add_link_mode(link, supported, 100000baseCR4_Full);
	link->base.speed = netif_carrier_ok(dev) ? (u32)rail_of(dev)->number[SPEED] : (u32)SPEED_UNKNOWN;
	link->base.duplex = DUPLEX_FULL;
	link->base.autoneg = AUTONEG_DISABLE;
	link->base.port = PORT_DA;
	return 0;
}

static void lab_getpause(struct net_device *dev, struct ethtool_pauseparam *p)
{
	struct lab_rail *r = rail_of(dev);
	bool hidden = r->role == ROLE_ICE && r->pfc_en; /* ice shows pause off while PFC is on */

	p->autoneg = AUTONEG_DISABLE;
	p->rx_pause = hidden ? 0 : r->pause_rx;
	p->tx_pause = hidden ? 0 : r->pause_tx;
}

static int model_setpause(struct lab_rail *r, const struct ethtool_pauseparam *p)
{
	if (r->role == ROLE_MLX5 && p->autoneg)
		return -EINVAL;
	if (r->role == ROLE_ICE && r->pfc_en)
		return -EOPNOTSUPP;
	r->pause_rx = p->rx_pause;
	r->pause_tx = p->tx_pause;
	return 0;
}

static int lab_setpause(struct net_device *dev, struct ethtool_pauseparam *p)
{
	struct lab_rail *r = rail_of(dev);

	return finish(r, SET_PAUSE, WITH_FAULT(r, SET_PAUSE, model_setpause(r, p)), "rx=%u,tx=%u,autoneg=%u", p->rx_pause, p->tx_pause,
		      p->autoneg);
}

static int lab_sset_count(struct net_device *dev, int set)
{
	if (set == ETH_SS_STATS)
		return 2 * SETTERS + 1 + rail_of(dev)->counted_used;
	if (set == ETH_SS_PRIV_FLAGS && rail_of(dev)->role == ROLE_ICE)
		return 1;
	return -EOPNOTSUPP;
}

static void lab_strings(struct net_device *dev, u32 set, u8 *data)
{
	int i;

	if (set == ETH_SS_PRIV_FLAGS) {
		ethtool_sprintf(&data, "fw-lldp-agent");
		return;
	}
	for (i = 0; i < SETTERS; i++)
		ethtool_sprintf(&data, "calls_%s", setter_names[i]);
	for (i = 0; i < SETTERS; i++)
		ethtool_sprintf(&data, "refused_%s", setter_names[i]);
	ethtool_sprintf(&data, "link_bounces");
	for (i = 0; i < rail_of(dev)->counted_used; i++)
		ethtool_sprintf(&data, "%s", rail_of(dev)->counted[i].name);
}

static void lab_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct lab_rail *r = rail_of(dev);
	int i;

	memcpy(data, r->calls, sizeof(r->calls));
	memcpy(data + SETTERS, r->refused, sizeof(r->refused));
	data[2 * SETTERS] = r->bounces;
	for (i = 0; i < r->counted_used; i++)
		data[2 * SETTERS + 1 + i] = r->counted[i].value;
}

static u32 lab_get_priv_flags(struct net_device *dev)
{
	return rail_of(dev)->number[FIRMWARE_DCBX] ? 1 : 0;
}

static int lab_set_priv_flags(struct net_device *dev, u32 wanted)
{
	struct lab_rail *r = rail_of(dev);

	if ((wanted & 1) && r->trust_dscp)
		return -EOPNOTSUPP;
	r->number[FIRMWARE_DCBX] = wanted & 1;
	r->dcbx = initial_dcbx(r);
	return 0;
}

static const struct ethtool_ops lab_ethtool = {
	.get_drvinfo = lab_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = lab_link_ksettings,
	.get_pauseparam = lab_getpause,
	.set_pauseparam = lab_setpause,
	.get_sset_count = lab_sset_count,
	.get_strings = lab_strings,
	.get_ethtool_stats = lab_stats,
	.get_priv_flags = lab_get_priv_flags,
	.set_priv_flags = lab_set_priv_flags,
};

/* ------------------------------------------------------------- net device */

static netdev_tx_t lab_xmit(struct sk_buff *skb, struct net_device *dev)
{
	int wire = READ_ONCE(rail_of(dev)->number[WIRE]);
	struct lab_rail *peer;

	dev->stats.tx_packets++;
	dev->stats.tx_bytes += skb->len;
	rcu_read_lock();
	peer = wire >= 0 && wire < function_count ? READ_ONCE(functions[wire].rail) : NULL;
	if (peer)
		dev_forward_skb(peer->dev, skb);
	else
		dev_kfree_skb_any(skb);
	rcu_read_unlock();
	return NETDEV_TX_OK;
}

static int lab_open(struct net_device *dev)
{
	netif_start_queue(dev);
	if (rail_of(dev)->signal)
		netif_carrier_on(dev);
	return 0;
}

static int lab_stop(struct net_device *dev)
{
	netif_stop_queue(dev);
	netif_carrier_off(dev);
	return 0;
}

static int lab_change_mtu(struct net_device *dev, int mtu)
{
	struct lab_rail *r = rail_of(dev);
	const struct fault *f = &r->setter_fault[CHANGE_MTU];
	int rc = f->armed ? f->result : 0;

	if (!f->armed || f->change)
		dev->mtu = mtu;
	return finish(r, CHANGE_MTU, rc, "%d", mtu);
}

static const struct net_device_ops lab_netdev = {
	.ndo_open = lab_open,
	.ndo_stop = lab_stop,
	.ndo_start_xmit = lab_xmit,
	.ndo_change_mtu = lab_change_mtu,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/* -------------------------------------------------------------------- ECN */

static struct rail_attribute *rail_attribute(struct kobj_attribute *a)
{
	return container_of(a, struct rail_attribute, attribute);
}

static ssize_t ecn_show(struct kobject *kobj, struct kobj_attribute *a, char *buf)
{
	struct rail_attribute *file = rail_attribute(a);
	struct lab_rail *r = file->rail;

	if (READ_ONCE(r->ecn_mode) == ECN_EMPTY)
		return 0;
	if (file->priority < 0)
		return sysfs_emit(buf, "%u\n", READ_ONCE(r->np[file->which]));
	return sysfs_emit(buf, "%d\n", !!(READ_ONCE(r->ecn_enable[file->notification]) & BIT(file->priority)));
}

static int model_ecn(struct lab_rail *r, const struct rail_attribute *file, unsigned int value)
{
	u8 bit;

	if (file->priority < 0) {
		r->np[file->which] = value;
		return 0;
	}
	if (value > 1)
		return -EINVAL;
	bit = BIT(file->priority);
	r->ecn_enable[file->notification] = value ? r->ecn_enable[file->notification] | bit : r->ecn_enable[file->notification] & ~bit;
	return 0;
}

static ssize_t ecn_store(struct kobject *kobj, struct kobj_attribute *a, const char *buf, size_t count)
{
	struct rail_attribute *file = rail_attribute(a);
	struct lab_rail *r = file->rail;
	unsigned int value;
	int rc = kstrtouint(buf, 0, &value);

	if (rc)
		return rc;
	rtnl_lock();
	rc = finish(r, ECN_STORE, WITH_FAULT(r, ECN_STORE, model_ecn(r, file, value)), "%s/%s=%u", file->notification ? "np" : "rp",
		    a->attr.name, value);
	rtnl_unlock();
	return rc ? rc : (ssize_t)count;
}

static void prepare_ecn_file(struct lab_rail *r, struct rail_attribute *file, const char *name, bool notification, int priority, int which)
{
	sysfs_attr_init(&file->attribute.attr);
	file->attribute.attr.name = name;
	file->attribute.attr.mode = 0644;
	file->attribute.show = ecn_show;
	file->attribute.store = ecn_store;
	file->rail = r;
	file->notification = notification;
	file->priority = priority;
	file->which = which;
}

static void ecn_remove(struct lab_rail *r)
{
	int side;

	debugfs_remove_recursive(r->cc_params);
	r->cc_params = NULL;
	for (side = 0; side < 2; side++) {
		kobject_put(r->ecn_enable_dir[side]);
		kobject_put(r->ecn_side[side]);
		r->ecn_enable_dir[side] = r->ecn_side[side] = NULL;
	}
	kobject_put(r->ecn);
	r->ecn = NULL;
}

/* The out-of-tree mlx5 driver shows ecn/ below the net device; the inbox one has cc_params in debugfs, and no switch per priority. */
static int ecn_create(struct lab_rail *r)
{
	static const char *const digits[PRIOS] = { "0", "1", "2", "3", "4", "5", "6", "7" };
	static const char *const sides[2] = { "roce_rp", "roce_np" };
	int side, i, rc;

	if (r->role != ROLE_MLX5 || r->ecn_mode == ECN_ABSENT)
		return 0;
	if (r->ecn_mode == ECN_INBOX) {
		r->cc_params = debugfs_create_dir(pci_name(r->pdev), lab_debugfs_mlx5);
		debugfs_create_u32("np_cnp_dscp", 0600, debugfs_create_dir("cc_params", r->cc_params), &r->np[NP_CNP_DSCP]);
		return 0;
	}
	r->ecn = kobject_create_and_add("ecn", &r->dev->dev.kobj);
	if (!r->ecn)
		return -ENOMEM;
	for (side = 0; side < 2; side++) {
		r->ecn_side[side] = kobject_create_and_add(sides[side], r->ecn);
		r->ecn_enable_dir[side] = r->ecn_side[side] ? kobject_create_and_add("enable", r->ecn_side[side]) : NULL;
		if (!r->ecn_enable_dir[side])
			return -ENOMEM;
		for (i = 0; i < PRIOS; i++) {
			prepare_ecn_file(r, &r->ecn_files[side][i], digits[i], side, i, 0);
			rc = sysfs_create_file(r->ecn_enable_dir[side], &r->ecn_files[side][i].attribute.attr);
			if (rc)
				return rc;
		}
	}
	for (i = 0; i < NP_FILES; i++) {
		prepare_ecn_file(r, &r->np_files[i], np_file_names[i], true, -1, i);
		rc = sysfs_create_file(r->ecn_side[1], &r->np_files[i].attribute.attr);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---------------------------------------------------------- steering files */

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EPERM", EPERM }, { "EIO", EIO }, { "ENOMEM", ENOMEM }, { "EINVAL", EINVAL }, { "EBUSY", EBUSY }, { "EACCES", EACCES },
	{ "EOPNOTSUPP", EOPNOTSUPP }, { "ENOTSUPP", ENOTSUPP }, { "ENOENT", ENOENT }, { "EEXIST", EEXIST }, { "ERANGE", ERANGE },
	{ "EREMOTEIO", EREMOTEIO },
};

static int parse_error(const char *text, int *out)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (!strcmp(text, errors[i].name)) {
			*out = -errors[i].number;
			return 0;
		}
	return kstrtoint(text, 10, out);
}

static void print_error(char *out, size_t size, int value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (value == -errors[i].number) {
			strscpy(out, errors[i].name, size);
			return;
		}
	snprintf(out, size, "%d", value);
}

/* "none" · "lie": answers 0 and changes nothing · "EIO", "1": that result, nothing changes · "change+EIO": changes, then that result */
static int parse_fault(const char *text, struct fault *f)
{
	struct fault parsed = { .armed = true };
	int rc;

	if (!strcmp(text, "none")) {
		memset(f, 0, sizeof(*f));
		return 0;
	}
	if (strcmp(text, "lie")) {
		if (!strncmp(text, "change+", 7)) {
			parsed.change = true;
			text += 7;
		}
		rc = parse_error(text, &parsed.result);
		if (rc)
			return rc;
	}
	*f = parsed;
	return 0;
}

/* A name that was not counted before is counted from now on, as drivers begin when PFC is turned on. */
static int set_counted(struct lab_rail *r, const char *name, const char *value)
{
	u64 number;
	int i, rc = kstrtou64(value, 0, &number);

	for (i = 0; !rc && i < r->counted_used && strcmp(r->counted[i].name, name); i++)
		;
	if (rc || i == MAX_COUNTED)
		return rc ? rc : -ENOSPC;
	if (i == r->counted_used) {
		strscpy(r->counted[i].name, name, sizeof(r->counted[i].name));
		r->counted_used++;
	}
	r->counted[i].value = number;
	return 0;
}

/* Needs RTNL, except for `ecn`, which needs lab_lock and not RTNL: the caller tells by `ecn_changed` whether to rebuild that tree. */
static int set_flag(struct lab_rail *r, const char *name, const char *value, bool *ecn_changed)
{
	int i, error, number, rc;

	if (!strncmp(name, "count.", 6))
		return set_counted(r, name + 6, value);
	for (i = 0; i < SETTERS; i++)
		if (!strcmp(name, setter_names[i]))
			return parse_fault(value, &r->setter_fault[i]);
	for (i = 0; i < GETTERS; i++)
		if (!strcmp(name, getter_names[i])) {
			rc = !strcmp(value, "none") ? (error = 0) : parse_error(value, &error);
			if (!rc)
				r->getter_error[i] = error;
			return rc;
		}
	if (!strcmp(name, "ecn")) {
		rc = match_string(ecn_mode_names, ECN_MODES, value);
		if (rc < 0)
			return rc;
		WRITE_ONCE(r->ecn_mode, rc);
		*ecn_changed = true;
		return 0;
	}
	rc = kstrtoint(value, 0, &number);
	if (rc)
		return rc;
	if (!strcmp(name, "carrier")) {
		if (number) {
			carrier_returns(r);
		} else {
			r->signal = false;
			netif_carrier_off(r->dev);
		}
		return 0;
	}
	for (i = 0; i < NUMBERS; i++)
		if (!strcmp(name, number_info[i].name)) {
			WRITE_ONCE(r->number[i], number);
			if (i == FIRMWARE_DCBX)
				r->dcbx = initial_dcbx(r);
			return 0;
		}
	return -ENOENT;
}

static int set_flags(struct lab_rail *r, char *text, bool *ecn_changed)
{
	char *token, *value;
	int rc;

	while ((token = strsep(&text, " \t\n"))) {
		if (!*token)
			continue;
		value = strchr(token, '=');
		if (!value)
			return -EINVAL;
		*value++ = 0;
		rc = set_flag(r, token, value, ecn_changed);
		if (rc)
			return rc;
	}
	return 0;
}

static void flags_reset(struct lab_rail *r)
{
	int i;

	memset(r->setter_fault, 0, sizeof(r->setter_fault));
	memset(r->getter_error, 0, sizeof(r->getter_error));
	r->counted_used = 0;
	for (i = 0; i < NUMBERS; i++)
		r->number[i] = number_info[i].initial;
}

static ssize_t show_flags(struct lab_rail *r, char *buf)
{
	char error[32];
	int i, n = 0;

	for (i = 0; i < SETTERS; i++) {
		const struct fault *f = &r->setter_fault[i];

		if (!f->armed)
			strscpy(error, "none", sizeof(error));
		else if (!f->result && !f->change)
			strscpy(error, "lie", sizeof(error));
		else
			print_error(error, sizeof(error), f->result);
		n += sysfs_emit_at(buf, n, "%s=%s%s\n", setter_names[i], f->change ? "change+" : "", error);
	}
	for (i = 0; i < GETTERS; i++) {
		if (r->getter_error[i])
			print_error(error, sizeof(error), r->getter_error[i]);
		else
			strscpy(error, "none", sizeof(error));
		n += sysfs_emit_at(buf, n, "%s=%s\n", getter_names[i], error);
	}
	for (i = 0; i < NUMBERS; i++)
		n += sysfs_emit_at(buf, n, "%s=%d\n", number_info[i].name, r->number[i]);
	n += sysfs_emit_at(buf, n, "ecn=%s\ncarrier=%d\n", ecn_mode_names[r->ecn_mode], netif_carrier_ok(r->dev));
	return n;
}

#define EMIT_LIST(key, format, count, expression)                                            \
	do {                                                                                 \
		n += sysfs_emit_at(buf, n, ",\"" key "\":[");                                \
		for (i = 0; i < (count); i++)                                                \
			n += sysfs_emit_at(buf, n, "%s" format, i ? "," : "", (expression)); \
		n += sysfs_emit_at(buf, n, "]");                                             \
	} while (0)

static ssize_t show_hardware(struct lab_rail *r, char *buf)
{
	int i, n;

	n = sysfs_emit(buf, "{\"role\":\"%s\",\"trust\":\"%s\",\"dcbx\":%u,\"pfc\":%u,\"delay\":%u,\"pause_rx\":%d,\"pause_tx\":%d,\"ecn_rp\":%u,"
		       "\"ecn_np\":%u,\"cnp_dscp\":%u,\"bounces\":%llu", role_info[r->role].name, r->trust_dscp ? "dscp" : "pcp", r->dcbx,
		       r->pfc_en, r->pfc_delay, r->pause_rx, r->pause_tx, r->ecn_enable[0], r->ecn_enable[1], r->np[NP_CNP_DSCP], r->bounces);
	EMIT_LIST("dscp", "%u", DSCPS, r->dscp_prio[i]);
	EMIT_LIST("prio_tc", "%u", PRIOS, r->ets.prio_tc[i]);
	EMIT_LIST("tsa", "%u", PRIOS, r->ets.tc_tsa[i]);
	EMIT_LIST("bandwidth", "%u", PRIOS, r->ets.tc_tx_bw[i]);
	EMIT_LIST("maxrate", "%llu", PRIOS, r->maxrate[i]);
	EMIT_LIST("prio2buffer", "%u", PRIOS, r->buffer.prio2buffer[i]);
	EMIT_LIST("buffer_size", "%u", DCBX_MAX_BUFFERS, r->buffer.buffer_size[i]);
	EMIT_LIST("apptrust", "%u", r->apptrust_count, r->apptrust[i]);
	n += sysfs_emit_at(buf, n, "}\n");
	return n;
}

/* The firmware's hand, or a peer's: registers move, and nobody is told. */
static void apply_triggers(struct lab_rail *r)
{
	int *value = r->trigger_value, *second = r->trigger_second;

	if (r->trigger_set[TRIGGER_PFC])
		r->pfc_en = value[TRIGGER_PFC];
	if (r->trigger_set[TRIGGER_DCBX])
		r->dcbx = value[TRIGGER_DCBX];
	if (r->trigger_set[TRIGGER_APP] && value[TRIGGER_APP] >= 0 && value[TRIGGER_APP] < DSCPS) {
		int dscp = value[TRIGGER_APP];

		if (app_list_delete(r, dscp, r->dscp_prio[dscp]))
			r->dscp_entries++;
		r->dscp_prio[dscp] = second[TRIGGER_APP] & 7;
		app_list_add(r, dscp, r->dscp_prio[dscp]);
	}
	if (r->trigger_set[TRIGGER_TRUST])
		r->trust_dscp = value[TRIGGER_TRUST];
	if (r->trigger_set[TRIGGER_PAUSE])
		r->pause_rx = r->pause_tx = value[TRIGGER_PAUSE];
	if (r->trigger_set[TRIGGER_ECN_RP])
		r->ecn_enable[0] = value[TRIGGER_ECN_RP];
	if (r->trigger_set[TRIGGER_ECN_NP])
		r->ecn_enable[1] = value[TRIGGER_ECN_NP];
	if (r->trigger_set[TRIGGER_BUFFER_OF])
		r->buffer.prio2buffer[value[TRIGGER_BUFFER_OF] & 7] = second[TRIGGER_BUFFER_OF] & 7;
	memset(r->trigger_set, 0, sizeof(r->trigger_set));
}

static void trigger_work(struct work_struct *work)
{
	struct lab_rail *r = container_of(to_delayed_work(work), struct lab_rail, trigger_work);

	rtnl_lock();
	apply_triggers(r);
	rtnl_unlock();
}

static int store_trigger(struct lab_rail *r, char *text)
{
	unsigned int after = 0;
	char *token, *value, *second;
	int i, rc;

	while ((token = strsep(&text, " \t\n"))) {
		if (!*token)
			continue;
		value = strchr(token, '=');
		if (!value)
			return -EINVAL;
		*value++ = 0;
		if (!strcmp(token, "after")) {
			rc = kstrtouint(value, 10, &after);
			if (rc)
				return rc;
			continue;
		}
		i = match_string(trigger_names, TRIGGERS, token);
		if (i < 0)
			return i;
		second = strchr(value, ':');
		if (second) {
			*second++ = 0;
			rc = kstrtoint(second, 0, &r->trigger_second[i]);
			if (rc)
				return rc;
		}
		if (i == TRIGGER_TRUST) {
			r->trigger_value[i] = !strcmp(value, "dscp");
		} else {
			rc = kstrtoint(value, 0, &r->trigger_value[i]);
			if (rc)
				return rc;
		}
		r->trigger_set[i] = true;
	}
	if (after)
		mod_delayed_work(system_wq, &r->trigger_work, msecs_to_jiffies(after));
	else
		apply_triggers(r);
	return 0;
}

static void witness_reset(struct lab_rail *r)
{
	memset(r->calls, 0, sizeof(r->calls));
	memset(r->refused, 0, sizeof(r->refused));
	r->bounces = 0;
	r->log_used = r->log_sequence = 0;
}

/* Needs RTNL and lab_lock. The APP list is the core's: what a scenario may have put there is taken out entry by entry. */
static void rail_reset(struct lab_rail *r)
{
	struct dcb_app others[] = { { IEEE_8021QAZ_APP_SEL_ETHERTYPE, 0, 0 }, { IEEE_8021QAZ_APP_SEL_ETHERTYPE, 0, 0x8915 },
				    { IEEE_8021QAZ_APP_SEL_DGRAM, 0, 4791 } };
	int dscp, prio;
	size_t i;

	for (prio = 0; prio < PRIOS; prio++) {
		for (dscp = 0; dscp < DSCPS; dscp++)
			app_list_delete(r, dscp, prio);
		for (i = 0; i < ARRAY_SIZE(others); i++) {
			others[i].priority = prio;
			dcb_ieee_delapp(r->dev, &others[i]);
		}
	}
	flags_reset(r);
	registers_reset(r);
	memset(r->trigger_set, 0, sizeof(r->trigger_set));
	WRITE_ONCE(r->ecn_mode, ECN_PRESENT);
	dev_set_mtu(r->dev, ETH_DATA_LEN);
	carrier_returns(r);
	witness_reset(r);
}

static ssize_t rail_show(struct kobject *kobj, struct kobj_attribute *a, char *buf)
{
	struct rail_attribute *file = rail_attribute(a);
	ssize_t n = 0;

	rtnl_lock();
	if (file->which == FILE_FLAGS)
		n = show_flags(file->rail, buf);
	else if (file->which == FILE_HARDWARE)
		n = show_hardware(file->rail, buf);
	else if (file->which == FILE_INTERFACE)
		n = sysfs_emit(buf, "%s\n", file->rail->dev->name);
	rtnl_unlock();
	return n;
}

static ssize_t rail_store(struct kobject *kobj, struct kobj_attribute *a, const char *buf, size_t count)
{
	struct rail_attribute *file = rail_attribute(a);
	struct lab_rail *r = file->rail;
	bool ecn_changed = false;
	char *text = kstrdup(buf, GFP_KERNEL);
	int rc = 0;

	if (!text)
		return -ENOMEM;
	mutex_lock(&lab_lock);
	if (file->which == FILE_RESET) {
		cancel_delayed_work_sync(&r->carrier_back);
		cancel_delayed_work_sync(&r->trigger_work);
	}
	rtnl_lock();
	switch (file->which) {
	case FILE_FLAGS:
		rc = set_flags(r, text, &ecn_changed);
		break;
	case FILE_TRIGGER:
		rc = store_trigger(r, text);
		break;
	case FILE_RESET:
		rail_reset(r);
		ecn_changed = true;
		break;
	default:
		rc = -EINVAL;
	}
	rtnl_unlock();
	if (ecn_changed) {
		ecn_remove(r);
		if (ecn_create(r))
			rc = rc ? rc : -ENOMEM;
	}
	mutex_unlock(&lab_lock);
	kfree(text);
	return rc ? rc : (ssize_t)count;
}

static ssize_t log_read(struct file *file, struct kobject *kobj, struct bin_attribute *a, char *buf, loff_t offset, size_t count)
{
	struct lab_rail *r = a->private;
	ssize_t n;

	rtnl_lock();
	n = memory_read_from_buffer(buf, count, &offset, r->log, r->log_used);
	rtnl_unlock();
	return n;
}

static ssize_t log_write(struct file *file, struct kobject *kobj, struct bin_attribute *a, char *buf, loff_t offset, size_t count)
{
	struct lab_rail *r = a->private;

	rtnl_lock();
	witness_reset(r);
	rtnl_unlock();
	return count;
}

static int directory_create(struct lab_rail *r)
{
	static const char *const names[RAIL_FILES] = { "flags", "hardware", "trigger", "reset", "interface" };
	static const umode_t modes[RAIL_FILES] = { 0644, 0444, 0200, 0200, 0444 };
	char name[16];
	int i, rc;

	snprintf(name, sizeof(name), "rail%d", r->index);
	r->directory = kobject_create_and_add(name, lab_root);
	if (!r->directory)
		return -ENOMEM;
	for (i = 0; i < RAIL_FILES; i++) {
		struct rail_attribute *file = &r->files[i];

		sysfs_attr_init(&file->attribute.attr);
		file->attribute.attr.name = names[i];
		file->attribute.attr.mode = modes[i];
		file->attribute.show = rail_show;
		file->attribute.store = rail_store;
		file->rail = r;
		file->which = i;
		rc = sysfs_create_file(r->directory, &file->attribute.attr);
		if (rc)
			return rc;
	}
	sysfs_bin_attr_init(&r->log_file);
	r->log_file.attr.name = "log";
	r->log_file.attr.mode = 0644;
	r->log_file.size = LOG_SIZE;
	r->log_file.private = r;
	r->log_file.read = log_read;
	r->log_file.write = log_write;
	return sysfs_create_bin_file(r->directory, &r->log_file);
}

/* -------------------------------------------------------------------- PCI */

static int function_index(const struct pci_dev *pdev)
{
	int i;

	for (i = 0; i < function_count; i++)
		if (functions[i].domain == pci_domain_nr(pdev->bus) && functions[i].bus == pdev->bus->number &&
		    functions[i].devfn == pdev->devfn)
			return i;
	return -1;
}

static void identity_set(struct pci_dev *pdev, u16 vendor, u16 device, u32 class)
{
	pdev->vendor = vendor;
	pdev->device = device;
	pdev->class = class;
}

static void identity_restore(struct pci_dev *pdev)
{
	identity_set(pdev, EDU_VENDOR, EDU_DEVICE, 0x00ff00);
}

/* Flags given at load: "2:setpfc=lie,3:firmware_dcbx=1". */
static void initial_flags(struct lab_rail *r)
{
	char *copy = kstrdup(flags, GFP_KERNEL), *rest = copy, *token, *body;
	bool ecn_changed;
	int index;

	while (rest && (token = strsep(&rest, ","))) {
		body = strchr(token, ':');
		if (!body)
			continue;
		*body++ = 0;
		if (kstrtoint(token, 10, &index) || index != r->index)
			continue;
		if (set_flags(r, body, &ecn_changed))
			pr_err("fabric_lab: rail%d: flag not understood\n", index);
	}
	kfree(copy);
}

static void rail_remove(struct lab_rail *r)
{
	int index = r->index;

	/* The directory goes first and without lab_lock: its files take that lock. */
	if (r->directory) {
		sysfs_remove_bin_file(r->directory, &r->log_file);
		kobject_del(r->directory);
		kobject_put(r->directory);
	}
	mutex_lock(&lab_lock);
	ecn_remove(r);
	mutex_unlock(&lab_lock);
	WRITE_ONCE(functions[index].rail, NULL);
	synchronize_net();
	if (r->dev->reg_state == NETREG_REGISTERED)
		unregister_netdev(r->dev);
	cancel_delayed_work_sync(&r->carrier_back);
	cancel_delayed_work_sync(&r->trigger_work);
	if (test_and_clear_bit(0, &r->bouncing))
		atomic_dec(&down_now);
	kvfree(r->log);
	free_netdev(r->dev);
}

static int rail_create(struct pci_dev *pdev, int index)
{
	u8 mac[ETH_ALEN] = { 0xb8, 0xce, 0xf6, 0x00, 0x00, index };
	struct net_device *dev;
	struct lab_rail *r;
	char name[IFNAMSIZ];
	int rc = -ENOMEM;

	snprintf(name, sizeof(name), "rail%d", index);
	/* NET_NAME_ENUM: udev may rename it, as it renames a real port. */
	dev = alloc_netdev(sizeof(struct lab_rail), name, NET_NAME_ENUM, ether_setup);
	if (!dev)
		return -ENOMEM;
	r = netdev_priv(dev);
	r->dev = dev;
	r->pdev = pdev;
	r->index = index;
	r->role = functions[index].role;
	INIT_DELAYED_WORK(&r->carrier_back, carrier_back);
	INIT_DELAYED_WORK(&r->trigger_work, trigger_work);
	r->log = kvzalloc(LOG_SIZE, GFP_KERNEL);
	if (!r->log)
		goto fail;
	flags_reset(r);
	initial_flags(r);
	registers_reset(r);
	SET_NETDEV_DEV(dev, &pdev->dev);
	dev->netdev_ops = &lab_netdev;
	dev->ethtool_ops = &lab_ethtool;
	dev->dcbnl_ops = operations_of(r->role);
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = 9978;
	eth_hw_addr_set(dev, mac);
	memcpy(dev->perm_addr, mac, ETH_ALEN);
	r->signal = true;
	netif_carrier_off(dev); /* until it is opened */
	rc = register_netdev(dev);
	if (rc)
		goto fail;
	mutex_lock(&lab_lock);
	rc = ecn_create(r);
	mutex_unlock(&lab_lock);
	if (!rc)
		rc = directory_create(r);
	if (rc)
		goto fail;
	pci_set_drvdata(pdev, r);
	WRITE_ONCE(functions[index].rail, r);
	return 0;
fail:
	rail_remove(r);
	return rc;
}

static struct pci_driver lab_drivers[DRIVERS];

static int lab_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int index = function_index(pdev), rc;
	const struct role_info *info;

	if (index < 0)
		return -ENODEV;
	info = &role_info[functions[index].role];
	if (functions[index].role == ROLE_NONE || info->driver == DRIVERS || &lab_drivers[info->driver] != to_pci_driver(pdev->dev.driver))
		return -ENODEV;
	identity_set(pdev, info->vendor, info->device, info->class);
	if (!info->nic)
		return 0;
	rc = rail_create(pdev, index);
	if (rc)
		identity_restore(pdev);
	return rc;
}

static void lab_remove(struct pci_dev *pdev)
{
	struct lab_rail *r = pci_get_drvdata(pdev);

	if (r)
		rail_remove(r);
	pci_set_drvdata(pdev, NULL);
	identity_restore(pdev);
}

static const struct pci_device_id lab_ids[] = { { PCI_DEVICE(EDU_VENDOR, EDU_DEVICE) }, {} };
/* No MODULE_DEVICE_TABLE: udev would load the module beside the unit that loads it with the right parameters. */

static int parse_role(const char *name)
{
	int i;

	for (i = 0; i < ROLES; i++)
		if (!strcmp(role_info[i].name, name))
			return i;
	return -EINVAL;
}

static ssize_t roles_show(struct kobject *kobj, struct kobj_attribute *a, char *buf)
{
	int i, n = 0;

	for (i = 0; i < function_count; i++)
		n += sysfs_emit_at(buf, n, "%d %04x:%02x:%02x.%d %s\n", i, functions[i].domain, functions[i].bus, PCI_SLOT(functions[i].devfn),
				   PCI_FUNC(functions[i].devfn), role_info[functions[i].role].name);
	return n;
}

static ssize_t roles_store(struct kobject *kobj, struct kobj_attribute *a, const char *buf, size_t count)
{
	struct pci_dev *pdev;
	char name[16];
	int index, role, rc;

	if (sscanf(buf, "%d %15s", &index, name) != 2 || index < 0 || index >= function_count)
		return -EINVAL;
	role = parse_role(name);
	if (role < 0)
		return role;
	pdev = pci_get_domain_bus_and_slot(functions[index].domain, functions[index].bus, functions[index].devfn);
	if (!pdev)
		return -ENODEV;
	device_release_driver(&pdev->dev);
	identity_restore(pdev);
	functions[index].role = role;
	if (role_info[role].driver == DRIVERS) {
		identity_set(pdev, role_info[role].vendor, role_info[role].device, role_info[role].class);
		rc = 1;
	} else {
		rc = device_attach(&pdev->dev);
	}
	pci_dev_put(pdev);
	if (rc < 0)
		return rc;
	return rc || role == ROLE_NONE ? (ssize_t)count : -EIO;
}

static struct kobj_attribute roles_attribute = __ATTR(roles, 0644, roles_show, roles_store);

static ssize_t most_down_show(struct kobject *kobj, struct kobj_attribute *a, char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&down_most));
}

static ssize_t most_down_store(struct kobject *kobj, struct kobj_attribute *a, const char *buf, size_t count)
{
	atomic_set(&down_most, atomic_read(&down_now));
	return count;
}

static struct kobj_attribute most_down_attribute = __ATTR(most_down, 0644, most_down_show, most_down_store);

static int functions_find(void)
{
	struct pci_dev *pdev = NULL;
	char *copy = kstrdup(roles, GFP_KERNEL), *rest = copy, *token;
	int i, role, rc = 0;

	if (!copy)
		return -ENOMEM;
	while ((pdev = pci_get_device(EDU_VENDOR, EDU_DEVICE, pdev))) {
		if (function_count == MAX_FUNCTIONS) {
			pci_dev_put(pdev);
			break;
		}
		functions[function_count].domain = pci_domain_nr(pdev->bus);
		functions[function_count].bus = pdev->bus->number;
		functions[function_count].devfn = pdev->devfn;
		function_count++;
	}
	for (i = 0; i < function_count; i++)
		functions[i].role = i < function_count / 2 ? ROLE_MLX5 : ROLE_GPU;
	for (i = 0; *roles && i < function_count && (token = strsep(&rest, ",")); i++) {
		if (!*token)
			continue;
		role = parse_role(token);
		if (role < 0) {
			pr_err("fabric_lab: no role is called '%s'\n", token);
			rc = role;
			break;
		}
		functions[i].role = role;
	}
	kfree(copy);
	return rc;
}

static int __init lab_init(void)
{
	int i, rc = functions_find();

	if (rc)
		return rc;
	lab_root = kobject_create_and_add("fabric_lab", kernel_kobj);
	if (!lab_root)
		return -ENOMEM;
	rc = sysfs_create_file(lab_root, &roles_attribute.attr);
	if (!rc)
		rc = sysfs_create_file(lab_root, &most_down_attribute.attr);
	if (rc)
		goto fail;
	lab_debugfs_mlx5 = debugfs_create_dir("mlx5", NULL);
	for (i = 0; i < DRIVERS; i++) {
		lab_drivers[i].name = driver_names[i];
		lab_drivers[i].id_table = lab_ids;
		lab_drivers[i].probe = lab_probe;
		lab_drivers[i].remove = lab_remove;
		rc = pci_register_driver(&lab_drivers[i]);
		if (rc)
			goto fail_drivers;
	}
	return 0;
fail_drivers:
	while (i--)
		pci_unregister_driver(&lab_drivers[i]);
	debugfs_remove_recursive(lab_debugfs_mlx5);
fail:
	kobject_put(lab_root);
	return rc;
}

static void __exit lab_exit(void)
{
	int i;

	/* The role file first: it binds and unbinds. */
	sysfs_remove_file(lab_root, &roles_attribute.attr);
	for (i = 0; i < function_count; i++) {
		struct pci_dev *pdev;

		if (role_info[functions[i].role].driver != DRIVERS)
			continue;
		pdev = pci_get_domain_bus_and_slot(functions[i].domain, functions[i].bus, functions[i].devfn);
		if (pdev)
			identity_restore(pdev);
		pci_dev_put(pdev);
	}
	for (i = DRIVERS - 1; i >= 0; i--)
		pci_unregister_driver(&lab_drivers[i]);
	debugfs_remove_recursive(lab_debugfs_mlx5);
	kobject_put(lab_root);
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("RoCE rails and GPUs for a virtual machine");
