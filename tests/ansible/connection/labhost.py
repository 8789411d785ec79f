# SPDX-License-Identifier: Apache-2.0
"""Ansible's way into a lab host of fleet_test.py: the namespaces and the root directory of its process."""
import shlex
import shutil

from ansible.plugins.connection.local import Connection as Local

DOCUMENTATION = """
name: labhost
short_description: a host made of namespaces
description: Runs commands in the namespaces and the root directory of a process.
author: fabricctl maintainers
options:
  lab_process:
    description: The number of the process.
    required: true
    vars:
      - name: lab_process
extends_documentation_fragment:
  - connection_pipelining
"""


class Connection(Local):
    transport = "labhost"
    has_pipelining = True

    def exec_command(self, cmd, in_data=None, sudoable=True):
        enter = ["nsenter", "--target", str(self.get_option("lab_process")), "--net", "--mount", "--uts", "--root", "--wd=/",
                 "/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "/bin/sh", "-c", cmd]
        return super().exec_command(" ".join(map(shlex.quote, enter)), in_data=in_data, sudoable=sudoable)

    def _there(self, path):
        return "/proc/%s/root%s" % (self.get_option("lab_process"), path)

    def put_file(self, in_path, out_path):
        shutil.copyfile(in_path, self._there(out_path))

    def fetch_file(self, in_path, out_path):
        shutil.copyfile(self._there(in_path), out_path)
