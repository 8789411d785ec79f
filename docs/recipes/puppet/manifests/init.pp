# A host in the state of its fabricctl profile.
#
# @param profile_source Where the profile comes from, such as puppet:///modules/profile/fabric.yaml.
class fabricctl (
  String $profile_source,
) {
  package { 'fabricctl':
    ensure => installed,
  }

  # An invalid profile never takes the place of a valid one.
  file { '/etc/fabricctl/profile.yaml':
    ensure       => file,
    owner        => 'root',
    group        => 'root',
    mode         => '0644',
    source       => $profile_source,
    validate_cmd => '/usr/bin/fabricctl profile validate %',
    require      => Package['fabricctl'],
  }

  # Exit status 2 after an apply: all that can be applied is, and the server must be restarted.
  exec { 'fabricctl apply':
    command   => '/usr/bin/fabricctl apply --lock-wait 120s --max-disruption traffic',
    unless    => '/usr/bin/fabricctl check --quiet --lock-wait 120s',
    returns   => [0, 2],
    timeout   => 900,
    logoutput => true,
    require   => File['/etc/fabricctl/profile.yaml'],
  }

  service { ['fabricctl-early.service', 'fabricctl.service', 'fabricctl-check.timer']:
    enable  => true,
    require => File['/etc/fabricctl/profile.yaml'],
  }

  # For `fabricctl fleet check` over the files of all hosts. Exit status 6: something could not be read, and the file says what.
  exec { 'fabricctl facts':
    command     => '/usr/bin/fabricctl facts --quiet --output /var/lib/fabricctl/facts.json',
    returns     => [0, 6],
    refreshonly => true,
    subscribe   => Exec['fabricctl apply'],
  }
}
