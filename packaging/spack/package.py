# SPDX-License-Identifier: Apache-2.0
# A recipe for Spack 1.0 or newer. Unverified: its syntax is checked, but no Spack has run it yet. To try it, copy this file to
# packages/libaccel/package.py of a repository of recipes and set `git` to this project's address.
from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Libaccel(MesonPackage):
    """CPUs and GPUs through one C library, chosen at run time."""

    git = "https://git.example/libaccel.git"

    license("Apache-2.0")

    version("main", branch="main")

    variant("tools", default=True, description="Build accel-bench")
    variant("hwloc", default=True, description="Take cores, caches and NUMA nodes from hwloc")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    # Opened at run time.
    depends_on("hwloc@2:", when="+hwloc", type=("build", "run"))

    def meson_args(self):
        return [
            "-Dtests=false",
            "-Dexamples=false",
            f"-Dbench={'true' if self.spec.satisfies('+tools') else 'false'}",
            f"-Dhwloc={'enabled' if self.spec.satisfies('+hwloc') else 'disabled'}",
        ]

    def setup_run_environment(self, env):
        if self.spec.satisfies("+hwloc"):
            env.set("ACCEL_HWLOC_LIBRARY", join_path(self.spec["hwloc"].prefix.lib, "libhwloc.so.15"))
