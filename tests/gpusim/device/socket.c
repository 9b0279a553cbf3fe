/* SPDX-License-Identifier: Apache-2.0 */
#include "socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

size_t device_receive(int socket, void *data, size_t size, int *file)
{
    struct iovec part = {.iov_base = data, .iov_len = size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file != NULL) {
        *file = -1;
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
    }
    ssize_t n;
    while ((n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    const struct cmsghdr *header = n > 0 && file != NULL ? CMSG_FIRSTHDR(&message) : NULL;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS)
        memcpy(file, CMSG_DATA(header), sizeof *file);
    return n > 0 ? (size_t)n : 0;
}

bool device_send(int socket, const void *data, size_t size)
{
    ssize_t n;
    while ((n = send(socket, data, size, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)size;
}
