#!/bin/sh
# Installs the Chromium that the browser tests need, on Debian and Ubuntu. Run as root.
set -eu
command -v chromium >/dev/null 2>&1 && exit 0
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium
