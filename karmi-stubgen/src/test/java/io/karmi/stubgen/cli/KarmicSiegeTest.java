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

/** Class files that an attacker has made: karmic ends with a line for each problem. */
public class KarmicSiegeTest {
  private static final int MUTATIONS = 150;

  interface Clock extends Remote {
    <T extends Comparable<T>> List<T> times(T from, int[][] of) throws RemoteException;

    void set(long now, String by) throws RemoteException, IOException;
  }

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private int karmic(ByteArrayOutputStream err, Path classes, Path out) {
    PrintStream lines = new PrintStream(err, true);
    return new Karmic(new PrintStream(OutputStream.nullOutputStream(), true), lines)
        .run("-d", out.toString(), "-classpath", classes.toString(), Clock.class.getName());
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
      Path out = folder.newFolder("out" + i).toPath();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int exit = karmic(err, classes, out);
      String said = err.toString(StandardCharsets.UTF_8);
      assertThat(exit).as("seed %d: %s", seed, said).isBetween(0, 1);
      if (exit == 1) {
        assertThat(said).as("seed %d", seed).isNotEmpty().doesNotContain("\tat ");
        try (Stream<Path> left = Files.walk(out)) {
          assertThat(left.filter(Files::isRegularFile)).as("seed %d", seed).isEmpty();
        }
      }
    }
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
