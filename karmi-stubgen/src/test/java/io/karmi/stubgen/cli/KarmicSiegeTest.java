package io.karmi.stubgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Class files that an attacker has made: karmic ends with a line for each problem. */
public class KarmicSiegeTest {
  private static final int MUTATIONS = 150;

  interface Clock extends Remote {
    <T extends Comparable<T>> List<T> times(T from, int[][] of) throws RemoteException;

    void set(long now, String by) throws RemoteException, IOException;
  }

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private int karmic(ByteArrayOutputStream err, Path classes, Path out) {
    return karmic(err, classes, out, Clock.class.getName());
  }

  private int karmic(ByteArrayOutputStream err, Path classes, Path out, String name) {
    PrintStream lines = new PrintStream(err, true);
    return new Karmic(new PrintStream(OutputStream.nullOutputStream(), true), lines)
        .run("-d", out.toString(), "-classpath", classes.toString(), name);
  }

  @Test
  public void whateverBytesAreChangedEachProblemIsALine() throws Exception {
    String name = Clock.class.getName().replace('.', '/') + ".class";
    byte[] good;
    try (InputStream in = Clock.class.getClassLoader().getResourceAsStream(name)) {
      good = in.readAllBytes();
    }
    Path classes = folder.newFolder("classes").toPath();
    Path file = classes.resolve(name);
    Files.createDirectories(file.getParent());
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < MUTATIONS; i++) {
      Files.write(file, mutated(good, random));
      try {
        assertMadeOrRefusedByALine(classes, folder.newFolder("out" + i).toPath());
      } catch (Exception | Error e) {
        throw new AssertionError("mutation " + i + " of seed " + seed, e);
      }
    }
  }

  private void assertMadeOrRefusedByALine(Path classes, Path out) throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = karmic(err, classes, out);
    String said = err.toString(StandardCharsets.UTF_8);
    assertThat(exit).as(said).isBetween(0, 1);
    if (exit == 1) {
      assertThat(said).isNotEmpty().doesNotContain("\tat ");
      try (Stream<Path> left = Files.walk(out)) {
        assertThat(left.filter(Files::isRegularFile)).isEmpty();
      }
    }
  }

  /** ASM reads this descriptor as an array of methods, and fails when it is to name one. */
  @Test
  public void aParameterThatIsNoTypeIsALine() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    write(classes, "Odd", "([(I)V)V", "java/rmi/Remote");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(karmic(err, classes, folder.newFolder("out").toPath(), "Odd")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("not a class file that can be read: Odd")
        .hasLineCount(1);
  }

  @Test
  public void aClassOfManyMegabytesIsRefused() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    Path file = classes.resolve(Clock.class.getName().replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[70 << 20]);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(karmic(err, classes, folder.newFolder("out").toPath())).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no class file is that large");
  }

  /** Twelve kilobytes of them took longer than anyone waits. */
  @Test(timeout = 60_000)
  public void interfacesToWhichManyWaysLeadAreLookedAtOnce() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    write(classes, "A0", "()V", "java/rmi/Remote");
    write(classes, "B0", "()V", "java/rmi/Remote");
    for (int i = 1; i < 40; i++) {
      write(classes, "A" + i, "()V", "A" + (i - 1), "B" + (i - 1));
      write(classes, "B" + i, "()V", "A" + (i - 1), "B" + (i - 1));
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(karmic(err, classes, folder.newFolder("out").toPath(), "A39")).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test(timeout = 60_000)
  public void interfacesThatExtendThousandsAreRefused() throws Exception {
    Path classes = folder.newFolder("classes").toPath();
    write(classes, "C0", "()V", "java/rmi/Remote");
    for (int i = 1; i < 2000; i++) {
      write(classes, "C" + i, "()V", "C" + (i - 1));
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(karmic(err, classes, folder.newFolder("out").toPath(), "C1999")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("more than 500 supertypes")
        .hasLineCount(1);
  }

  /** A remote interface with a method. */
  private static void write(Path folder, String name, String descriptor, String... extended)
      throws IOException {
    ClassWriter writer = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    writer.visit(Opcodes.V17, access, name, null, "java/lang/Object", extended);
    writer.visitMethod(
        Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT,
        "call",
        descriptor,
        null,
        new String[] {"java/rmi/RemoteException"});
    writer.visitEnd();
    Files.write(folder.resolve(name + ".class"), writer.toByteArray());
  }

  private static byte[] mutated(byte[] good, Random random) {
    byte[] bad = good.clone();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int value = random.nextInt(4);
      bad[random.nextInt(bad.length)] =
          (byte) (value == 0 ? -1 : value == 1 ? 0x7f : random.nextInt());
    }
    return bad;
  }
}
