/* The first process of the lab's kernel: loads the modules that the root disk needs, in the order of /modules, and hands over to systemd.
 * A generated initramfs would start udev twice, which costs many seconds on an emulated processor. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void fail(const char *what)
{
	fprintf(stderr, "lab init: %s: %s\n", what, strerror(errno));
	sync();
	_exit(1);
}

int main(void)
{
	char name[256];
	FILE *list = fopen("/modules", "r");

	if (!list)
		fail("/modules");
	while (fgets(name, sizeof(name), list)) {
		name[strcspn(name, "\n")] = 0;
		int fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			fail(name);
		/* crc32c-intel has no hardware on some processors, and is not needed there. */
		if (syscall(SYS_finit_module, fd, "", 0) && errno != ENODEV && errno != EEXIST)
			fail(name);
		close(fd);
	}
	fclose(list);
	if (mount("dev", "/dev", "devtmpfs", 0, ""))
		fail("/dev");
	if (mount("/dev/vda", "/root", "ext4", 0, ""))
		fail("/dev/vda");
	if (mount("/dev", "/root/dev", NULL, MS_MOVE, NULL))
		fail("/root/dev");
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		fail("/root");
	execl("/sbin/init", "/sbin/init", (char *)NULL);
	fail("/sbin/init");
}
