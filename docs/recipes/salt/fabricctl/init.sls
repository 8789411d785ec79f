# A host in the state of its fabricctl profile, salt://fabricctl/profile.yaml.
fabricctl:
  pkg.installed: []

# An invalid profile never takes the place of a valid one.
/etc/fabricctl/profile.yaml:
  file.managed:
    - source: salt://fabricctl/profile.yaml
    - user: root
    - group: root
    - mode: '0644'
    - makedirs: true
    - check_cmd: /usr/bin/fabricctl profile validate
    - require:
        - pkg: fabricctl

# Exit status 2 after an apply: all that can be applied is, and the server must be restarted.
fabricctl-apply:
  cmd.run:
    - name: /usr/bin/fabricctl apply --lock-wait 120s --max-disruption traffic
    - unless: /usr/bin/fabricctl check --quiet --lock-wait 120s
    - success_retcodes: [0, 2]
    - timeout: 900
    - require:
        - file: /etc/fabricctl/profile.yaml

fabricctl-units:
  service.enabled:
    - names:
        - fabricctl-early.service
        - fabricctl.service
        - fabricctl-check.timer
    - require:
        - file: /etc/fabricctl/profile.yaml

# For `fabricctl fleet check` over the files of all hosts. Exit status 6: something could not be read, and the file says what.
fabricctl-facts:
  cmd.run:
    - name: /usr/bin/fabricctl facts --quiet --output /var/lib/fabricctl/facts.json
    - success_retcodes: [0, 6]
    - onchanges:
        - cmd: fabricctl-apply
