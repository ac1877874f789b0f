package io.karmi.stubgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class KarmicTest {
  interface Clock extends Remote {
    long now() throws RemoteException;

    void set(long now, String by) throws RemoteException;
  }

  interface Bell extends Remote {
    void ring() throws RemoteException;
  }

  abstract static class Tower implements Clock, Bell {}

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int karmic(String... args) {
    return new Karmic(new PrintStream(out, true), new PrintStream(err, true)).run(args);
  }

  private String[] line(Class<?> type) throws Exception {
    Path classes =
        Path.of(KarmicTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new String[] {
      "-d", folder.getRoot().getPath(), "-classpath", classes.toString(), type.getName()
    };
  }

  @Test
  public void writesStubAndSkeletonBesideTheInterface() throws Exception {
    assertThat(karmic(line(Clock.class))).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).isEmpty();
    assertThat(folder.getRoot().toPath().resolve("io/karmi/stubgen/cli"))
        .isDirectoryContaining(file -> file.endsWith("KarmicTest$Clock_KStub.class"))
        .isDirectoryContaining(file -> file.endsWith("KarmicTest$Clock_KSkel.class"));
  }

  @Test
  public void writesOneStubForAllInterfacesOfAnImplementation() throws Exception {
    assertThat(karmic(line(Tower.class))).isZero();
    assertThat(folder.getRoot().toPath().resolve("io/karmi/stubgen/cli"))
        .isDirectoryContaining(
            file -> file.getFileName().toString().matches(".*Clock_KStub_[0-9a-f]+\\.class"));
  }

  @Test
  public void missingClassIsOneLineAndStatusOne() {
    assertThat(karmic("no.such.Thing")).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo("no/such/Thing.class: class not found: no.such.Thing");
  }

  @Test
  public void classThatIsNotRemoteIsOneLineAndStatusOne() {
    assertThat(karmic("java.lang.String")).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(": java.lang.String is not remote");
  }

  @Test
  public void wrongCommandLineIsOneLineAndStatusTwo() {
    assertThat(karmic("--no-such-option")).isEqualTo(2);
    assertThat(karmic()).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("karmic: "));
  }

  @Test
  public void helpListsTheOptions() {
    assertThat(karmic("--help")).isZero();
    assertThat(out.toString()).contains("usage:", "-classpath", "-d");
  }
}
