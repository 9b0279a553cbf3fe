/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime links with and can do without: trap handlers and policies are accepted, the others refused. */
#include "standin.h"

#define ACCEPTS(name, parameters)                                                                                      \
    HSAKMT_STATUS name parameters                                                                                      \
    {                                                                                                                  \
        return HSAKMT_STATUS_SUCCESS;                                                                                  \
    }
#define REFUSES(name, parameters)                                                                                      \
    HSAKMT_STATUS name parameters                                                                                      \
    {                                                                                                                  \
        return HSAKMT_STATUS_NOT_SUPPORTED;                                                                            \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"

ACCEPTS(hsaKmtSetTrapHandler, (HSAuint32 node, void *code, HSAuint64 code_size, void *data, HSAuint64 data_size))
ACCEPTS(hsaKmtSetMemoryPolicy, (HSAuint32 node, HSAuint32 policy, HSAuint32 alternate, void *base, HSAuint64 size))
ACCEPTS(hsaKmtSetQueueCUMask, (HSA_QUEUEID queue, HSAuint32 count, HSAuint32 *mask))
ACCEPTS(hsaKmtUpdateQueue, (HSA_QUEUEID queue, HSAuint32 percentage, HSA_QUEUE_PRIORITY priority, void *address,
                            HSAuint64 size, HsaEvent *event))
ACCEPTS(hsaKmtRuntimeDisable, (void))
REFUSES(hsaKmtRuntimeEnable, (void *debugger, bool set_up))
REFUSES(hsaKmtSetXNACKMode, (HSAint32 enable))
REFUSES(hsaKmtSVMGetAttr, (void *start, HSAuint64 size, unsigned int count, HSA_SVM_ATTRIBUTE *attributes))
REFUSES(hsaKmtSVMSetAttr, (void *start, HSAuint64 size, unsigned int count, HSA_SVM_ATTRIBUTE *attributes))
REFUSES(hsaKmtAllocQueueGWS, (HSA_QUEUEID queue, HSAuint32 count, HSAuint32 *first))
REFUSES(hsaKmtRegisterGraphicsHandleToNodes,
        (HSAuint64 handle, HsaGraphicsResourceInfo *info, HSAuint64 count, HSAuint32 *nodes))
REFUSES(hsaKmtRegisterSharedHandle, (const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *size))
REFUSES(hsaKmtRegisterSharedHandleToNodes,
        (const HsaSharedMemoryHandle *handle, void **address, HSAuint64 *size, HSAuint64 count, HSAuint32 *nodes))
REFUSES(hsaKmtShareMemory, (void *address, HSAuint64 size, HsaSharedMemoryHandle *handle))
