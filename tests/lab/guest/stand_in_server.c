// SPDX-License-Identifier: Apache-2.0
// Stands in for the storage server: prints a version banner, or tells systemd that it is ready and stays until it is
// told to end. Built twice; with -DRDMA_BUILD the banner names the feature that the RDMA build has, and a start with
// MINIO_RDMA_INTERNODE=on writes the lines that one writes then. What LAB_SAYS holds is written too.
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// sd_notify(3), "READY=1".
static void tell_ready(void) {
    const char *path = getenv("NOTIFY_SOCKET");
    if (!path || strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
        return;
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strcpy(to.sun_path, path);
    if (path[0] == '@')
        to.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    sendto(fd, "READY=1", 7, 0, (struct sockaddr *)&to, offsetof(struct sockaddr_un, sun_path) + strlen(path));
    close(fd);
}

static void write_lines(void) {
#ifdef RDMA_BUILD
    const char *internode = getenv("MINIO_RDMA_INTERNODE");
    if (internode && !strcmp(internode, "on"))
        puts("RDMA: internode initialized with 8 devices\nRDMA: inbound receive pool ready\nRDMA Server listening");
#endif
    const char *more = getenv("LAB_SAYS");
    if (more)
        puts(more);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        printf("minio version stand-in\nRuntime: uid %d\n", (int)getuid());
#ifdef RDMA_BUILD
        printf("Features: GPU-Direct RDMA\n");
#endif
        return 0;
    }
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    write_lines();
    tell_ready();
    int signal;
    return sigwait(&end, &signal);
}
