package io.karmi.retrofit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command on jars and directories; what it writes is run in JVMs of its own. */
public class KarmiRetrofitTest {
  private static final String UKA_OUT = "io.karmi.uka.RewiredObjectOutputStream";
  private static final String MAIN =
      """
      package app;
      import java.io.*;
      public class Main {
        public static void main(String[] args) throws Exception {
          ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream());
          System.out.println(out.getClass().getName() + " " + Other.text());
        }
      }
      """;
  private static final String OTHER =
      "package app; public class Other { static String text() { return \"other\"; } }";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path root;
  private Path classes;

  @Before
  public void compile() {
    root = folder.getRoot().toPath();
    classes = Sources.compile(root.resolve("classes"), List.of(), MAIN, OTHER);
  }

  private int run(Object... arguments) {
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    return new KarmiRetrofit(new PrintStream(out, true), new PrintStream(err, true)).run(words);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Path jar(String name, String... attributes) throws IOException {
    return Jars.of(root.resolve(name), Jars.manifest(attributes), classes);
  }

  private static Map<String, byte[]> entries(Path jar) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        try (InputStream in = file.getInputStream(entry)) {
          entries.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return entries;
  }

  private static List<String> names(Path directory) {
    try (Stream<Path> list = Files.list(directory)) {
      return list.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  public void aRewrittenModuleBringsTheModulesThatKarmiNeeds() throws Exception {
    String main =
        """
        package app;
        import java.io.*;
        public class Main {
          record Point(int x, String name) implements Serializable {}
          public static void main(String[] args) throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ObjectOutputStream out = new ObjectOutputStream(bytes);
            out.writeObject(new Point(1, "a"));
            out.close();
            System.out.println(out.getClass().getName() + " "
                + new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject());
          }
        }
        """;
    Path module = Sources.compile(root.resolve("module"), List.of(), "module app {}", main);
    Path in = Jars.of(root.resolve("app.jar"), Jars.manifest(), module);
    Path outJar = root.resolve("app-karmi.jar");
    assertThat(run(in, "-o", outJar)).as(err()).isZero();
    String path = outJar + File.pathSeparator + Jars.karmi(root);
    Jvm.Result result = Jvm.java("-p", path, "-m", "app/app.Main");
    assertThat(result.out()).as(result.err()).contains(UKA_OUT + " Point[x=1, name=a]");
  }

  @Test
  public void aRewrittenJarRunsOnUka() throws Exception {
    Path in = jar("in.jar");
    byte[] before = Files.readAllBytes(in);
    Path outJar = root.resolve("out.jar");
    assertThat(run(in, "-o", outJar)).as(err()).isZero();
    assertThat(out()).contains("1 of 2 classes rewired");
    assertThat(Files.readAllBytes(in)).as("the input").isEqualTo(before);
    Path karmi = Jars.karmi(root);
    Jvm.Result result = Jvm.java("-cp", outJar + File.pathSeparator + karmi, "app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, UKA_OUT + " other\n", ""));
  }

  @Test
  public void theLastWordOnWeavingCounts() throws Exception {
    Path in = jar("in.jar");
    assertThat(run(in, "--dry-run", "--weave", "--no-weave")).as(err()).isZero();
    assertThat(out()).contains("1 of 2 classes would be rewired");
    assertThat(run(in, "--dry-run", "--no-weave", "--weave", "--only=rmi")).isEqualTo(2);
    assertThat(err()).contains("weave and only=rmi contradict each other");
    assertThat(run("--boot", root.resolve("boot"), "--weave")).isEqualTo(2);
    assertThat(err()).contains("--boot weaves no class: it takes no --weave");
  }

  @Test
  public void anExecutableJarFindsKarmiBesideIt() throws Exception {
    Path in = jar("in.jar", "Main-Class", "app.Main", "Class-Path", "lib/a.jar");
    Path outJar = root.resolve("out.jar");
    assertThat(run(in, "-o", outJar)).as(err()).isZero();
    assertThat(out()).contains("Put karmi.jar beside " + outJar + " for java -jar.");
    Jars.karmi(root);
    Jvm.Result result = Jvm.java("-jar", outJar);
    assertThat(result).isEqualTo(new Jvm.Result(0, UKA_OUT + " other\n", ""));
    try (JarFile file = new JarFile(outJar.toFile())) {
      assertThat(file.getManifest().getMainAttributes().getValue("Class-Path"))
          .isEqualTo("lib/a.jar karmi.jar");
    }
  }

  @Test
  public void aProgramThatStartsARewrittenJarFindsKarmiBesideIt() throws Exception {
    String start =
        "package start; public class Start {"
            + " public static void main(String[] a) throws Exception { app.Main.main(a); } }";
    Path starting =
        Sources.compile(root.resolve("starting"), List.of("-cp", classes.toString()), start);
    Path apps = Files.createDirectories(root.resolve("apps/lib")).getParent();
    jar("apps/lib/library.jar");
    Path between = Sources.compile(root.resolve("between"), List.of(), OTHER);
    Jars.of(apps.resolve("lib/a.jar"), Jars.manifest("Class-Path", "library.jar"), between);
    program(apps.resolve("one.jar"), starting, "lib/a.jar");
    program(apps.resolve("other.jar"), starting, "lib/none.jar");
    Files.createDirectories(apps.resolve("classes/app"));
    for (String each : List.of("app/Main.class", "app/Other.class")) {
      Files.copy(classes.resolve(each), apps.resolve("classes").resolve(each));
    }
    program(apps.resolve("two.jar"), starting, "classes/");
    Path target = root.resolve("out");
    assertThat(run(apps, "-o", target)).as(err()).isZero();
    assertThat(out()).contains("Put karmi.jar beside " + target.resolve("one.jar") + " for");
    Jars.karmi(target);
    for (String each : List.of("one.jar", "two.jar")) {
      assertThat(Jvm.java("-jar", target.resolve(each)))
          .isEqualTo(new Jvm.Result(0, UKA_OUT + " other\n", ""));
    }
    assertThat(target.resolve("other.jar")).hasSameBinaryContentAs(apps.resolve("other.jar"));
  }

  private static void program(Path jar, Path starting, String classPath) throws IOException {
    Jars.of(jar, Jars.manifest("Main-Class", "start.Start", "Class-Path", classPath), starting);
  }

  @Test
  public void theFoldersThatNeedKarmiAreToldByOneOfTheirPrograms() throws Exception {
    Files.createDirectories(root.resolve("apps/deep"));
    jar("apps/one.jar", "Main-Class", "app.Main");
    jar("apps/deep/two.jar", "Main-Class", "app.Main");
    Path single = jar("in.jar", "Main-Class", "app.Main");
    Path target = Files.createDirectory(root.resolve("target"));
    assertThat(run(single, "-o", target)).as(err()).isZero();
    assertThat(run(root.resolve("apps"), jar("library.jar"), "-o", target)).as(err()).isZero();
    assertThat(out().lines().filter(line -> line.startsWith("Put ")))
        .containsExactlyInAnyOrder(
            "Put karmi.jar beside " + target.resolve("in.jar") + " for java -jar.",
            "Put karmi.jar beside " + target.resolve("apps/one.jar") + " for java -jar.",
            "Put karmi.jar beside " + target.resolve("apps/deep/two.jar") + " for java -jar.");
  }

  @Test
  public void aModularJarRequiresKarmi() throws Exception {
    Path modular =
        Sources.compile(root.resolve("modular"), List.of(), "module app { }", MAIN, OTHER);
    Path in = Jars.of(root.resolve("in.jar"), Jars.manifest(), modular);
    Path outJar = root.resolve("out.jar");
    assertThat(run(in, "-o", outJar)).as(err()).isZero();
    Path karmi = Jars.karmi(root);
    String path = outJar + File.pathSeparator + karmi;
    Jvm.Result result = Jvm.java("-p", path, "-m", "app/app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, UKA_OUT + " other\n", ""));
  }

  @Test
  public void aRewrittenDirectoryRunsOnUka() throws Exception {
    Files.writeString(classes.resolve("text.txt"), "as it was");
    Files.createDirectories(classes.resolve("lib"));
    Files.copy(jar("in.jar"), classes.resolve("lib/nested.jar"));
    Path target = root.resolve("out");
    assertThat(run(classes, "-o", target)).as(err()).isZero();
    assertThat(target.resolve("text.txt")).hasContent("as it was");
    assertThat(entries(target.resolve("lib/nested.jar")).get("app/Main.class"))
        .isEqualTo(Files.readAllBytes(target.resolve("app/Main.class")));
    Path karmi = Jars.karmi(root);
    Jvm.Result result = Jvm.java("-cp", target + File.pathSeparator + karmi, "app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, UKA_OUT + " other\n", ""));
  }

  @Test
  public void severalInputsGoIntoADirectoryUnderTheirNames() throws Exception {
    Path target = root.resolve("out");
    assertThat(run(jar("a.jar"), jar("b.jar"), "-o", target)).as(err()).isZero();
    assertThat(names(target)).containsExactly("a.jar", "b.jar");
  }

  @Test
  public void versionsAndNestedJarsAreRewrittenAndKeepTheirForm() throws Exception {
    Path nested = jar("nested.jar");
    byte[] main = Files.readAllBytes(classes.resolve("app/Main.class"));
    Path in = root.resolve("fat.jar");
    try (JarOutputStream fat =
        new JarOutputStream(Files.newOutputStream(in), Jars.manifest("Multi-Release", "true"))) {
      put(fat, "BOOT-INF/classes/app/Main.class", main, ZipEntry.DEFLATED);
      put(fat, "META-INF/versions/21/app/Main.class", main, ZipEntry.DEFLATED);
      put(fat, "BOOT-INF/lib/nested.jar", Files.readAllBytes(nested), ZipEntry.STORED);
      put(fat, "BOOT-INF/lib/broken.txt", new byte[] {1}, ZipEntry.STORED);
    }
    Path target = root.resolve("out.jar");
    assertThat(run(in, "-o", target, "--report")).as(err()).isZero();
    String change = ": new java.io.ObjectOutputStream -> " + UKA_OUT;
    assertThat(out())
        .contains(in + "!/BOOT-INF/classes/app/Main.class" + change)
        .contains(in + "!/META-INF/versions/21/app/Main.class" + change)
        .contains(in + "!/BOOT-INF/lib/nested.jar!/app/Main.class" + change);
    try (JarFile file = new JarFile(target.toFile())) {
      JarEntry entry = file.getJarEntry("BOOT-INF/lib/nested.jar");
      assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED);
      assertThat(Collections.list(file.entries()).stream().map(JarEntry::getName))
          .containsExactly(
              "META-INF/MANIFEST.MF",
              "BOOT-INF/classes/app/Main.class",
              "META-INF/versions/21/app/Main.class",
              "BOOT-INF/lib/nested.jar",
              "BOOT-INF/lib/broken.txt");
      assertThat(file.getManifest().getMainAttributes().getValue("Multi-Release"))
          .isEqualTo("true");
    }
  }

  private static void put(JarOutputStream jar, String name, byte[] bytes, int method)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(method);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    entry.setCrc(crc.getValue());
    entry.setSize(bytes.length);
    jar.putNextEntry(entry);
    jar.write(bytes);
    jar.closeEntry();
  }

  @Test
  public void signaturesAreDroppedAndThatIsSaid() throws Exception {
    Manifest manifest = Jars.manifest();
    Attributes digests = new Attributes();
    digests.put(new Attributes.Name("SHA-256-Digest"), "abc=");
    manifest.getEntries().put("app/Main.class", digests);
    Attributes more = new Attributes();
    more.put(new Attributes.Name("SHA-256-Digest"), "abc=");
    more.put(new Attributes.Name("Sealed"), "true");
    manifest.getEntries().put("app/", more);
    Files.createDirectories(classes.resolve("META-INF"));
    Files.writeString(classes.resolve("META-INF/ME.SF"), "x");
    Files.writeString(classes.resolve("META-INF/ME.RSA"), "x");
    Path in = Jars.of(root.resolve("in.jar"), manifest, classes);
    Path target = root.resolve("out.jar");
    assertThat(run(in, "-o", target)).isZero();
    assertThat(err()).contains(in + ": its signature is dropped");
    assertThat(entries(target).keySet())
        .containsExactly("META-INF/MANIFEST.MF", "app/Main.class", "app/Other.class");
    try (JarFile file = new JarFile(target.toFile())) {
      assertThat(file.getManifest().getEntries()).containsOnlyKeys("app/");
      assertThat(file.getManifest().getAttributes("app/").keySet())
          .containsExactly(new Attributes.Name("Sealed"));
    }
  }

  @Test
  public void aJarWithNothingToRewireIsCopiedByteForByte() throws Exception {
    Path other = Sources.compile(root.resolve("other"), List.of(), OTHER);
    Files.createDirectories(other.resolve("META-INF"));
    Files.writeString(other.resolve("META-INF/ME.SF"), "x");
    Path in = Jars.of(root.resolve("in.jar"), Jars.manifest(), other);
    Path target = root.resolve("out.jar");
    assertThat(run(in, "-o", target)).isZero();
    assertThat(Files.readAllBytes(target)).isEqualTo(Files.readAllBytes(in));
  }

  @Test
  public void theSameInputGivesTheSameBytes() throws Exception {
    Path in = jar("in.jar");
    assertThat(run(in, "-o", root.resolve("a.jar"))).isZero();
    assertThat(run(in, "-o", root.resolve("b.jar"))).isZero();
    assertThat(Files.readAllBytes(root.resolve("a.jar")))
        .isEqualTo(Files.readAllBytes(root.resolve("b.jar")));
  }

  @Test
  public void rewritingTwiceChangesNothingMore() throws Exception {
    assertThat(run(jar("in.jar"), "-o", root.resolve("a.jar"))).isZero();
    assertThat(run(root.resolve("a.jar"), "-o", root.resolve("b.jar"))).isZero();
    assertThat(Files.readAllBytes(root.resolve("b.jar")))
        .isEqualTo(Files.readAllBytes(root.resolve("a.jar")));
  }

  @Test
  public void aDryRunListsAndWritesNothing() throws Exception {
    Path in = jar("in.jar");
    List<String> before = names(root);
    assertThat(run("--dry-run", in)).isZero();
    assertThat(out()).contains("app/Main.class: new java.io.ObjectOutputStream");
    assertThat(out()).contains("1 of 2 classes would be rewired");
    assertThat(names(root)).isEqualTo(before);
  }

  @Test
  public void aJarThatIsNoneIsOneLineAndLeavesNoOutput() throws Exception {
    Path in = root.resolve("in.jar");
    Files.writeString(in, "no jar at all");
    List<String> before = names(root);
    assertThat(run(in, "-o", root.resolve("out.jar"))).isEqualTo(1);
    assertThat(err().strip()).startsWith("karmi-retrofit: " + in + " is no jar").hasLineCount(1);
    assertThat(names(root)).isEqualTo(before);
  }

  @Test
  public void aJarThatIsNoneIsNamedAndTheOthersAreExplained() throws Exception {
    Path lib = Files.createDirectory(root.resolve("lib"));
    for (String each : List.of("a.jar", "c.war")) {
      Files.copy(jar(each), lib.resolve(each));
    }
    Path broken = Files.writeString(lib.resolve("b.jar"), "no jar at all");
    assertThat(run("--explain", lib)).isEqualTo(1);
    assertThat(err().strip())
        .startsWith("karmi-retrofit: " + broken + " is no jar")
        .hasLineCount(1);
    assertThat(out())
        .contains("in 2 jars and folders")
        .contains("Notes")
        .contains(broken + ": was not read to its end");
    Files.delete(broken);
    assertThat(run("--explain", lib)).isZero();
  }

  @Test
  public void theOutputIsNotTheInput() throws Exception {
    Path in = jar("in.jar");
    byte[] before = Files.readAllBytes(in);
    assertThat(run(in, "-o", in)).isEqualTo(1);
    assertThat(err()).contains("is the input");
    assertThat(run(classes, "-o", classes.resolve("inside"))).isEqualTo(1);
    assertThat(err()).contains("lies inside the input");
    assertThat(Files.readAllBytes(in)).isEqualTo(before);
  }

  @Test
  public void wrongUseIsTwoAndOneLine() {
    assertThat(run()).isEqualTo(2);
    assertThat(run("--colour")).isEqualTo(2);
    assertThat(run(classes)).isEqualTo(2);
    assertThat(run(classes, "-o", root.resolve("x"), "--only=network")).isEqualTo(2);
    assertThat(err().strip().lines()).hasSize(4).allMatch(l -> l.startsWith("karmi-retrofit: "));
  }

  @Test
  public void optionsThatWouldHaveNoEffectAreWrongUse() throws Exception {
    Path in = jar("in.jar");
    Path boot = root.resolve("boot");
    List<String> before = names(root);
    assertThat(run(in, "-o", root.resolve("a.jar"), "-o", root.resolve("b.jar"))).isEqualTo(2);
    assertThat(run(in, "-o", root.resolve("a.jar"), "--module", "java.base")).isEqualTo(2);
    assertThat(run("--boot", boot, "--dry-run")).isEqualTo(2);
    assertThat(err().strip().lines()).hasSize(3).allMatch(l -> l.startsWith("karmi-retrofit: --"));
    assertThat(names(root)).isEqualTo(before);
  }

  @Test
  public void anOutputThatEndsWithASlashIsAFolder() throws Exception {
    assertThat(run(jar("in.jar"), "-o", root + "/new/folder/")).as(err()).isZero();
    assertThat(names(root.resolve("new/folder"))).containsExactly("in.jar");
    assertThat(run(classes, "-o", root + "/of-a-folder/")).as(err()).isZero();
    assertThat(names(root.resolve("of-a-folder"))).containsExactly("app");
  }

  @Test
  public void anOutputBelowAFileNamesThatFile() throws Exception {
    Path in = jar("in.jar");
    assertThat(run(in, "-o", in.resolve("out.jar"))).isEqualTo(1);
    assertThat(err().strip()).isEqualTo("karmi-retrofit: " + in + " is no directory");
  }

  @Test
  public void lettersThatTheLocaleLacksAreNamedAsTheReason() throws Exception {
    Files.createDirectory(root.resolve("in"));
    String command =
        "LC_ALL=C; export LC_ALL; cd '"
            + root
            + "' && cp in.jar \"in/$(printf '\\303\\244').jar\" && exec '"
            + System.getProperty("java.home")
            + "/bin/java' -cp karmi.jar io.karmi.retrofit.cli.KarmiRetrofit in -o out";
    jar("in.jar");
    Jars.karmi(root);
    Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said.strip()).endsWith("has letters that the locale lacks; set LC_ALL=C.UTF-8");
    assertThat(root.resolve("out")).doesNotExist();
  }

  @Test
  public void anInputThatIsNotThereIsOne() {
    assertThat(run(root.resolve("none.jar"), "-o", root.resolve("out.jar"))).isEqualTo(1);
    assertThat(err()).contains("none.jar is not there");
  }

  @Test
  public void helpIsZero() {
    assertThat(run("--help")).isZero();
    assertThat(out()).startsWith("usage: karmi-retrofit");
    assertThat(err()).isEmpty();
  }
}
