package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.Test;

public class HostsTest {
  @Test
  public void theCommandIsOneQuotedWordOfTheRemoteShell() {
    Hosts hosts = Hosts.parse("a,b=10.0.0.2", Hosts.SSH);
    assertThat(hosts.command(1, List.of("java", "-Dx=it's", "Main")))
        .containsExactly("ssh", "-o", "BatchMode=yes", "b", "'java' '-Dx=it'\\''s' 'Main'");
    assertThat(hosts.address(0)).isEqualTo("a");
    assertThat(hosts.address(1)).isEqualTo("10.0.0.2");
  }

  @Test
  public void theFirstHostIsTheCentresAlone() {
    Hosts hosts = Hosts.parse("a,b,c", Hosts.SSH);
    assertThat(List.of(0, 1, 2, 3, 4))
        .extracting(hosts::address)
        .containsExactly("a", "b", "c", "b", "c");
    assertThat(Hosts.parse("a", Hosts.SSH).address(3)).isEqualTo("a");
  }

  @Test
  public void withoutHostsACommandIsRunAsItIs() {
    assertThat(Hosts.local().command(3, List.of("java", "Main"))).containsExactly("java", "Main");
    assertThat(Hosts.local().address(3)).isEqualTo("127.0.0.1");
  }

  @Test
  public void aShellWithoutACommandIsRefused() {
    assertThatThrownBy(() -> Hosts.parse("a,b", "ssh {host}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{command}");
    assertThatThrownBy(() -> Hosts.parse("a,,b", Hosts.SSH)).hasMessageContaining("a,,b");
  }
}
