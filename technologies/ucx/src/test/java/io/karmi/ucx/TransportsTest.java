package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeFalse;

import io.karmi.contract.Nodes;
import java.io.IOException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Where UCX is used without being asked for, and where it listens. */
public class TransportsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void emulationIsNoRemoteMemoryAccess() {
    assertThat(Transports.mayUseRemoteMemory("tcp,self")).isFalse();
    assertThat(Transports.mayUseRemoteMemory("posix,cma,self")).isFalse();
    assertThat(Transports.mayUseRemoteMemory("rc,self")).isTrue();
    assertThat(Transports.mayUseRemoteMemory("all")).isTrue();
    assertThat(Transports.mayUseRemoteMemory(null)).isTrue();
    assertThat(Transports.mayUseRemoteMemory("^tcp")).isTrue();
  }

  @Test
  public void onlyTransportsOfTheHostStayWithinIt() {
    assertThat(Transports.stayWithinHost("posix, cma,self")).isTrue();
    assertThat(Transports.stayWithinHost("posix,tcp")).isFalse();
    assertThat(Transports.stayWithinHost(null)).isFalse();
    assertThat(Transports.stayWithinHost("^posix")).isFalse();
  }

  @Test
  public void hostWithoutDevicesHasNone() throws IOException {
    assertThat(Transports.hasDevice(folder.getRoot().toPath().resolve("none"))).isFalse();
    assertThat(Transports.hasDevice(folder.getRoot().toPath())).isFalse();
    folder.newFolder("mlx5_0");
    assertThat(Transports.hasDevice(folder.getRoot().toPath())).isTrue();
  }

  @Test
  public void withoutADeviceItStandsAsideUnlessItIsNamed() {
    assumeFalse("no device here", Transports.haveRemoteMemory());
    assertThatThrownBy(() -> new UcxProvider().open(Nodes.caller()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("-Dkarmi.technologies=ucx");
  }
}
