#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages of the committed tree, has lintian judge them, installs them in a clean Debian system, and builds
# and runs README's program there. By hand: it takes minutes, needs root, a network, and the packages debhelper, debootstrap,
# lintian, libhwloc-dev and meson. Usage: debian.sh DIRECTORY, which is made and keeps the packages.
set -eu
directory=$1
source_root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
version=$(sed -n "1s/.*(\(.*\)-.*/\1/p" "$source_root/packaging/debian/changelog")
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mkdir "$directory"
cd "$directory"

git -C "$source_root" archive --prefix="libaccel-$version/" HEAD | xz -T0 >"libaccel_$version.orig.tar.xz"
tar -xf "libaccel_$version.orig.tar.xz"
cp -r "libaccel-$version/packaging/debian" "libaccel-$version/debian"
(cd "libaccel-$version" && dpkg-buildpackage -us -uc) >build.log 2>&1 || { tail -n 50 build.log; exit 1; }
lintian --fail-on error,warning ./*.changes

# The archive of this machine's apt, of which the system is made.
archive=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $suite" | head -n 1)
debootstrap --variant=minbase "$suite" tree "$archive" >debootstrap.log 2>&1 || { tail -n 20 debootstrap.log; exit 1; }
trap 'umount tree/proc' EXIT
mount -t proc proc tree/proc
mkdir tree/packages
cp ./*.deb tree/packages
cp "$source_root/README.md" "$source_root/packaging/debian/tests/first-program" tree/packages
chroot tree sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /packages/*.deb pkg-config' \
    >install.log 2>&1 || { tail -n 20 install.log; exit 1; }
chroot tree sh /packages/first-program /packages/README.md
echo "the packages are in $directory"
