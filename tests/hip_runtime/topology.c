/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine looks like: node 0 is the processor, node 1 a device like an MI200 with four compute units. */
#include "standin.h"

#include <string.h>
#include <time.h>

enum { PROCESSOR, DEVICE, NODES };

uint64_t standin_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) / 10;
}

HSAKMT_STATUS hsaKmtOpenKFD(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtCloseKFD(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetVersion(HsaVersionInfo *version)
{
    *version = (HsaVersionInfo){.KernelInterfaceMajorVersion = 1, .KernelInterfaceMinorVersion = 8};
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtAcquireSystemProperties(HsaSystemProperties *system)
{
    memset(system, 0, sizeof *system);
    system->NumNodes = NODES;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtReleaseSystemProperties(void)
{
    return HSAKMT_STATUS_SUCCESS;
}

static void describe_device(HsaNodeProperties *node)
{
    static const char name[] = "Stand-in";

    node->NumFComputeCores = 16;
    node->NumMemoryBanks = 3;
    node->FComputeIdLo = 0x80000000;
    node->MaxWavesPerSIMD = 8;
    node->LDSSizeInKB = 64;
    node->WaveFrontSize = 64;
    node->NumShaderBanks = node->NumArrays = 1;
    node->NumCUPerArray = node->NumSIMDPerCU = 4;
    node->MaxSlotsScratchCU = 32;
    node->EngineId.ui32.Major = 9;
    node->EngineId.ui32.Stepping = 10;
    node->EngineId.ui32.uCode = 70;
    node->VendorId = 0x1002;
    node->DeviceId = 0x740c;
    node->LocationId = 0x100;
    node->LocalMemSize = (HSAuint64)4 << 30;
    node->MaxEngineClockMhzFCompute = 1700;
    node->DrmRenderMinor = 128;
    node->NumCpQueues = 24;
    node->UniqueID = 42;
    node->VGPRSizePerCU = 512 << 10;
    node->SGPRSizePerCU = 12800;
    node->Capability.ui32.DoorbellType = 2;
    node->Capability.ui32.QueueSizePowerOfTwo = 1;
    for (size_t i = 0; i < sizeof name; ++i)
        node->MarketingName[i] = (HSAuint16)name[i];
    memcpy(node->AMDName, "Aldebaran", 10);
}

HSAKMT_STATUS hsaKmtGetNodeProperties(HSAuint32 id, HsaNodeProperties *node)
{
    memset(node, 0, sizeof *node);
    node->NumMemoryBanks = 1;
    node->NumCaches = 2;
    node->NumIOLinks = 1;
    node->DrmRenderMinor = -1;
    if (id == DEVICE)
        describe_device(node);
    else
        node->NumCPUCores = 2;
    return HSAKMT_STATUS_SUCCESS;
}

/* Of the device: memory, what blocks share, and scratch; the last two only as ranges of addresses. */
HSAKMT_STATUS hsaKmtGetNodeMemoryProperties(HSAuint32 id, HSAuint32 count, HsaMemoryProperties *banks)
{
    memset(banks, 0, count * sizeof *banks);
    banks[0].HeapType = id == DEVICE ? HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC : HSA_HEAPTYPE_SYSTEM;
    banks[0].SizeInBytes = (HSAuint64)4 << 30;
    banks[0].Width = 4096;
    banks[0].MemoryClockMax = 1600;
    if (count > 1) {
        banks[1].HeapType = HSA_HEAPTYPE_GPU_LDS;
        banks[1].SizeInBytes = 64 << 10;
        banks[1].VirtualBaseAddress = (HSAuint64)0x20 << 40;
    }
    if (count > 2) {
        banks[2].HeapType = HSA_HEAPTYPE_GPU_SCRATCH;
        banks[2].SizeInBytes = (HSAuint64)4 << 30;
        banks[2].VirtualBaseAddress = (HSAuint64)0x30 << 40;
    }
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeCacheProperties(HSAuint32 id, HSAuint32 processor, HSAuint32 count,
                                           HsaCacheProperties *caches)
{
    (void)processor;
    memset(caches, 0, count * sizeof *caches);
    for (HSAuint32 i = 0; i < count; ++i) {
        caches[i].CacheLevel = i + 1;
        caches[i].CacheSize = i == 0 ? 16 : 8192;
        caches[i].CacheLineSize = 128;
        caches[i].CacheType.ui32.Data = 1;
        caches[i].CacheType.ui32.CPU = id != DEVICE;
        caches[i].CacheType.ui32.HSACU = id == DEVICE;
    }
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetNodeIoLinkProperties(HSAuint32 id, HSAuint32 count, HsaIoLinkProperties *links)
{
    memset(links, 0, count * sizeof *links);
    links[0].IoLinkType = HSA_IOLINKTYPE_PCIEXPRESS;
    links[0].NodeFrom = id;
    links[0].NodeTo = id == DEVICE ? PROCESSOR : DEVICE;
    links[0].Weight = 20;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetClockCounters(HSAuint32 id, HsaClockCounters *clock)
{
    (void)id;
    clock->GPUClockCounter = standin_ticks();
    clock->CPUClockCounter = clock->SystemClockCounter = clock->GPUClockCounter * 10;
    clock->SystemClockFrequencyHz = 1000000000;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetTileConfig(HSAuint32 id, HsaGpuTileConfig *config)
{
    (void)id;
    config->NumTileConfigs = config->NumMacroTileConfigs = 0;
    return HSAKMT_STATUS_SUCCESS;
}

HSAKMT_STATUS hsaKmtGetXNACKMode(HSAint32 *enabled)
{
    *enabled = 0;
    return HSAKMT_STATUS_SUCCESS;
}
