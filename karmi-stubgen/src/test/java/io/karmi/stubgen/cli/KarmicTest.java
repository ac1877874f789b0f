package io.karmi.stubgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
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

  sealed interface Closed extends Remote permits Opened {
    void open() throws RemoteException;
  }

  non-sealed interface Opened extends Closed {}

  static final class Token implements Remote {}

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

  @Test
  public void sealedInterfaceIsAnErrorBecauseNoStubMayImplementIt() throws Exception {
    assertThat(karmic(line(Closed.class))).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("KarmicTest$Closed is sealed: no stub may implement it");
    assertThat(folder.getRoot().list()).isEmpty();
  }

  @Test
  public void scanMakesStubsOfAllInterfacesButSealedOnesAndRemoteItself() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    for (Class<?> type : List.of(Closed.class, Opened.class, Token.class)) {
      copy(type, classes);
    }
    Path target = folder.getRoot().toPath().resolve("stubs");
    assertThat(karmic("-d", target.toString(), "--scan", classes.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(target.toFile().list()).as("no class of java.rmi").containsExactly("io");
    assertThat(target.resolve("io/karmi/stubgen/cli").toFile().list())
        .containsExactlyInAnyOrder(
            "KarmicTest$Opened_KStub.class", "KarmicTest$Opened_KSkel.class");
  }

  /** What they extend is in karmi.jar, which is not on karmic's class path. */
  @Test
  public void scanTakesStubsThatAreThereForNoClassesOfTheProgram() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    copy(Clock.class, classes);
    assertThat(karmic("-d", classes.toString(), "--scan", classes.toString())).isZero();
    Path stubs = classes.resolve("io/karmi/stubgen/cli");
    assertThat(stubs)
        .isDirectoryContaining(file -> file.endsWith("KarmicTest$Clock_KSkel.class"))
        .isDirectoryContaining(file -> file.endsWith("KarmicTest$Clock_KStub$Arguments0.class"));
    String[] before = stubs.toFile().list();
    assertThat(karmic("-d", classes.toString(), "--scan", classes.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(stubs.toFile().list()).containsExactlyInAnyOrder(before);
  }

  private static Path copy(Class<?> type, Path folder) throws Exception {
    String name = type.getName().replace('.', '/') + ".class";
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
      Files.copy(in, file);
    }
    return file;
  }

  @Test
  public void classInsideAnotherMayBeNamedWithDots() throws Exception {
    String[] line = line(Clock.class);
    line[line.length - 1] = Clock.class.getCanonicalName();
    assertThat(karmic(line)).isZero();
    assertThat(folder.getRoot().toPath().resolve("io/karmi/stubgen/cli"))
        .isDirectoryContaining(file -> file.endsWith("KarmicTest$Clock_KStub.class"));
  }

  @Test
  public void classFileOfALaterJavaIsNamedAsSuch() throws Exception {
    Path file = copy(Bell.class, folder.getRoot().toPath());
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = (byte) 200;
    Files.write(file, bytes);
    String classes = folder.getRoot().getPath();
    assertThat(karmic("-d", classes, "-cp", classes, Bell.class.getName())).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("KarmicTest$Bell (its version is 200, of Java 156)");
  }

  @Test
  public void jarThatCannotBeReadIsNamed() throws Exception {
    Path jar = Files.writeString(folder.newFile("broken.jar").toPath(), "no jar");
    assertThat(karmic("-d", folder.getRoot().getPath(), "--scan", jar.toString())).isEqualTo(1);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("broken.jar is no jar that can be read: ");
  }
}
