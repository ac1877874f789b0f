package io.karmi.retrofit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Sources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Inputs that an attacker has made: the command ends with one line and exit code 1, or passes over
 * what it cannot read, and leaves no file behind.
 */
public class SiegeTest {
  private static final int MUTATIONS = 100;
  private static final int BOMB_MEGABYTES = 512;
  private static final int CENTRAL_HEADER = 0x02014b50;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private Path temporary;
  private byte[] classFile;

  @Before
  public void compile() throws IOException {
    root = folder.getRoot().toPath();
    temporary = Files.createDirectory(root.resolve("temporary"));
    Path classes =
        Sources.compile(
            root.resolve("classes"),
            List.of(),
            """
            package app;
            import java.io.*;
            public class Main {
              static Object make(int kind, String name) throws Exception {
                switch (kind) {
                  case 1: return new ObjectOutputStream(OutputStream.nullOutputStream());
                  case 2: return ObjectOutputStream.class.getConstructor(OutputStream.class);
                  case 900: return (Serializable & java.util.function.Supplier<Object>)
                      () -> new Object();
                  default: switch (name) { case "a": return 1; case "b": return 2L; }
                }
                return new Main();
              }
            }
            """);
    classFile = Files.readAllBytes(classes.resolve("app/Main.class"));
  }

  private static byte[] zip(Object... namesAndBytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (int i = 0; i < namesAndBytes.length; i += 2) {
        out.putNextEntry(new ZipEntry((String) namesAndBytes[i]));
        out.write((byte[]) namesAndBytes[i + 1]);
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  /** Runs the command in a JVM of its own, whose temporary files are its alone. */
  private Jvm.Result rewrite(byte[] jar) throws Exception {
    Path input = Files.write(root.resolve("input.jar"), jar);
    return command("KarmiRetrofit", input, "--report", "-o", root.resolve("output.jar"));
  }

  private Jvm.Result explain(byte[] jar) throws Exception {
    return command("Explain", "-jar", Files.write(root.resolve("input.jar"), jar));
  }

  private Jvm.Result command(String name, Object... arguments) throws Exception {
    List<Object> all = new ArrayList<>();
    all.add("-Xmx256m");
    all.add("-Djava.io.tmpdir=" + temporary);
    all.add("-cp");
    all.add(System.getProperty("java.class.path"));
    all.add("io.karmi.retrofit.cli." + name);
    all.addAll(List.of(arguments));
    return Jvm.java(all.toArray());
  }

  private void isRefused(byte[] jar, String why) throws Exception {
    Jvm.Result result = rewrite(jar);
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err()).startsWith("karmi-retrofit: ").contains(why);
    assertThat(files(root)).containsExactly("classes", "input.jar", "temporary");
    assertThat(files(temporary)).noneMatch(name -> name.startsWith("karmi"));
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  public void thousandsOfJarsWithinEachOtherAreRefused() throws Exception {
    byte[] jar = zip("app/Main.class", classFile);
    for (int i = 0; i < 3000; i++) {
      jar = aroundAsItIs(jar);
    }
    isRefused(jar, "jar inside another");
  }

  /** A jar with another one in it, which is not compressed: so thousands are made in a second. */
  private static byte[] aroundAsItIs(byte[] inner) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      out.putNextEntry(new ZipEntry("a.jar"));
      out.write(inner);
    }
    return bytes.toByteArray();
  }

  /** Half a gigabyte in some hundred kilobytes, with a header that says so. */
  @Test
  public void entriesThatUnfoldToMoreThanTheMemoryAreLeftAsTheyAre() throws Exception {
    for (String name : List.of("app/Main.class", "data")) {
      Jvm.Result result = rewrite(bomb(name));
      assertThat(result.exit()).as(result.err()).isZero();
      assertThat(files(temporary)).noneMatch(each -> each.startsWith("karmi"));
      try (ZipFile output = new ZipFile(root.resolve("output.jar").toFile())) {
        assertThat(output.getEntry(name).getSize()).isEqualTo((long) BOMB_MEGABYTES << 20);
      }
      Files.delete(root.resolve("output.jar"));
    }
  }

  private static byte[] bomb(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] megabyte = new byte[1 << 20];
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      out.setLevel(Deflater.BEST_SPEED);
      out.putNextEntry(new ZipEntry(name));
      for (int i = 0; i < BOMB_MEGABYTES; i++) {
        out.write(megabyte);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  public void aWarInAnEarIsNotTooDeep() throws Exception {
    byte[] war = zip("WEB-INF/lib/a.jar", zip("app/Main.class", classFile));
    Jvm.Result result = rewrite(zip("a.war", war));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).contains("1 of 1 class rewired");
  }

  @Test
  public void anEntryThatIsLargerThanItsHeaderSaysIsRefused() throws Exception {
    byte[] large = new byte[4 << 20];
    isRefused(lying(zip("app/Large.class", large)), "is larger than its header says");
    isRefused(lying(zip("a.jar", large)), "is larger than its header says");
    isRefused(lying(zip("app/Main.class", classFile, "large", large)), "its header says");
  }

  /** The jar with headers that say 100 bytes for each entry of megabytes. */
  private static byte[] lying(byte[] jar) {
    ByteBuffer bytes = ByteBuffer.wrap(jar).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < jar.length - 30; i++) {
      if (bytes.getInt(i) == CENTRAL_HEADER && bytes.getInt(i + 24) > 1 << 20) {
        bytes.putInt(i + 24, 100);
      }
    }
    return jar;
  }

  @Test
  public void namesInJarsAddNoLineAndSendNothingToTheTerminal() throws Exception {
    byte[] jar =
        zip(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8),
            "app/Main\nforged line\u001b[2J.class",
            classFile,
            "app/\nforged line\u001b[2J.jar",
            new byte[] {1},
            "app/\nforged line.class",
            Arrays.copyOf(classFile, 20));
    for (Jvm.Result each : List.of(rewrite(jar), explain(jar))) {
      assertThat(each.exit()).as(each.err()).isZero();
      assertThat(each.out() + each.err()).contains("\\u000aforged line").doesNotContain("\u001b");
      assertThat((each.out() + each.err()).lines()).noneMatch(line -> line.startsWith("forged"));
    }
  }

  @Test
  public void attributesThatAreThereTwiceAreNotReportedOneByOne() throws Exception {
    String manifest =
        "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\n" + "Twice: a\r\n".repeat(100);
    byte[] jar =
        zip(
            "META-INF/MANIFEST.MF",
            (manifest + "\r\n").getBytes(StandardCharsets.UTF_8),
            "app/Main.class",
            classFile);
    for (Jvm.Result each : List.of(rewrite(jar), explain(jar))) {
      assertThat(each.exit()).as(each.err()).isZero();
      assertThat(each.err()).doesNotContain("Twice");
    }
  }

  /** Half a megabyte of jars unfolded for minutes, to 16 gigabytes. */
  @Test
  public void smallJarsUnfoldToAGigabyteAtMost() throws Exception {
    byte[] inner = bomb("app/Main.class");
    byte[] jar = zip("a.jar", inner, "b.jar", inner, "c.jar", inner);
    isRefused(jar, "expands to more than 1073741824 bytes");
    Jvm.Result explained = explain(jar);
    assertThat(explained.exit()).isEqualTo(1);
    assertThat(explained.err()).contains("expands to more than").hasLineCount(1);
  }

  /** A pipe without a writer would be waited for without an end. */
  @Test
  public void whatIsNoFileInFoldersIsLeftOut() throws Exception {
    Path input = Files.createDirectory(root.resolve("input"));
    Path pipe = input.resolve("data");
    Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString(), pipe + ".jar").start();
    assumeTrue("no pipes with names here", mkfifo.waitFor() == 0);
    Files.write(input.resolve("Main.class"), classFile);
    Jvm.Result result = command("KarmiRetrofit", input, "-o", root.resolve("output"));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("data: left out: it is neither a file nor a directory");
    assertThat(files(root.resolve("output"))).containsExactly("Main.class");
  }

  /** A link in a folder to a device without end would fill the disk. */
  @Test
  public void devicesBehindLinksAreNotRead() throws Exception {
    Path input = Files.createDirectory(root.resolve("input"));
    Files.createSymbolicLink(input.resolve("data"), Path.of("/dev/zero"));
    Files.createSymbolicLink(input.resolve("data.jar"), Path.of("/dev/zero"));
    Files.write(input.resolve("Main.class"), classFile);
    Jvm.Result result = command("KarmiRetrofit", input, "-o", root.resolve("output"));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.isSymbolicLink(root.resolve("output/data.jar"))).isTrue();
  }

  @Test
  public void whateverBytesAreChangedTheCommandEndsWithOneLineOrDoesItsWork() throws Exception {
    Path jar =
        Files.write(
            root.resolve("good.jar"),
            zip(
                "META-INF/MANIFEST.MF",
                "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\n\r\n"
                    .getBytes(StandardCharsets.UTF_8),
                "app/Main.class",
                classFile,
                "META-INF/versions/21/app/Main.class",
                classFile,
                "lib/in.jar",
                zip("app/Main.class", classFile, "text", new byte[1000])));
    Path work = Files.createDirectory(root.resolve("work"));
    long seed = System.nanoTime();
    Jvm.Result result =
        Jvm.java(
            "-Xmx256m",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Mutations.class.getName(),
            jar,
            work,
            seed);
    assertThat(result.err()).as("seed %d", seed).isEmpty();
    assertThat(result.out()).as("seed %d", seed).startsWith("done, refused ");
    assertThat(files(temporary)).noneMatch(name -> name.startsWith("karmi"));
  }

  /** Rewrites a jar in which bytes have been changed at random, many times. */
  public static final class Mutations {
    public static void main(String[] args) throws Exception {
      byte[] good = Files.readAllBytes(Path.of(args[0]));
      Path work = Path.of(args[1]);
      byte[] original;
      try (ZipFile jar = new ZipFile(args[0])) {
        original = jar.getInputStream(jar.getEntry("app/Main.class")).readAllBytes();
      }
      Random random = new Random(Long.parseLong(args[2]));
      int refused = 0;
      for (int i = 0; i < MUTATIONS; i++) {
        byte[] bad = i % 2 == 0 ? mutated(good, random) : withMutatedClass(original, random);
        refused += rewrite(bad, work) == 0 ? 0 : 1;
      }
      System.out.println("done, refused " + refused);
    }

    private static byte[] withMutatedClass(byte[] original, Random random) throws IOException {
      byte[] classFile = mutated(original, random);
      return zip("app/Main.class", classFile, "b/in.jar", zip("app/Main.class", classFile));
    }

    private static byte[] mutated(byte[] good, Random random) {
      byte[] bad = good.clone();
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        int value = random.nextInt(4);
        bad[random.nextInt(bad.length)] =
            (byte) (value == 0 ? -1 : value == 1 ? 0x7f : random.nextInt());
      }
      return random.nextInt(10) == 0 ? Arrays.copyOf(bad, random.nextInt(bad.length)) : bad;
    }

    private static int rewrite(byte[] jar, Path work) throws IOException {
      Path input = Files.write(work.resolve("in.jar"), jar);
      Path output = work.resolve("out.jar");
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int exit =
          new KarmiRetrofit(
                  new PrintStream(OutputStream.nullOutputStream(), true),
                  new PrintStream(err, true))
              .run(input.toString(), "-o", output.toString());
      List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
      String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
      List<String> expected = exit == 0 ? List.of("in.jar", "out.jar") : List.of("in.jar");
      boolean oneLine =
          exit == 0 || exit == 1 && last.startsWith("karmi-retrofit: ") && last.contains("in.jar");
      if (!oneLine || !files(work).equals(expected)) {
        System.err.println("exit " + exit + ", files " + files(work) + ": " + lines);
      }
      Files.deleteIfExists(output);
      return exit;
    }
  }
}
