package io.karmi.retrofit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What rewriting leaves on a disk: links, permissions, several outputs, large entries. */
public class DiskTest {
  private static final String CREATES =
      """
      package app;
      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println(
              new java.io.ObjectOutputStream(java.io.OutputStream.nullOutputStream()).getClass());
        }
      }
      """;
  private static final byte[] UKA =
      "io/karmi/uka/RewiredObjectOutputStream".getBytes(StandardCharsets.ISO_8859_1);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path root;
  private Path classes;

  @Before
  public void compile() {
    root = folder.getRoot().toPath();
    classes = Sources.compile(root.resolve("classes"), List.of(), CREATES);
  }

  private int run(Object... arguments) {
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true);
    return new KarmiRetrofit(out, new PrintStream(err, true)).run(words);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Path jar(Path path) throws IOException {
    return Jars.of(path, Jars.manifest(), classes);
  }

  private void permit(Path path, String mode) throws IOException {
    assumeTrue(Files.getFileAttributeView(path, PosixFileAttributeView.class) != null);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  public void linksInsideAFolderLeadToWhatWasRewritten() throws Exception {
    Path app = Files.createDirectory(root.resolve("app"));
    Path versions = Files.createDirectories(app.resolve("versions/1"));
    Files.copy(classes.resolve("app/Main.class"), versions.resolve("Main.class"));
    Files.createSymbolicLink(app.resolve("current"), versions.toAbsolutePath());
    Files.createSymbolicLink(app.resolve("Linked.class"), Path.of("current/Main.class"));
    Path out = root.resolve("out");
    assertThat(run(app, "-o", out)).as(err()).isZero();
    assertThat(out.resolve("current").toRealPath())
        .isEqualTo(out.resolve("versions/1").toRealPath());
    assertThat(Files.readAllBytes(out.resolve("current/Main.class"))).containsSequence(UKA);
    assertThat(Files.readAllBytes(out.resolve("Linked.class"))).containsSequence(UKA);
    assertThat(Files.isSymbolicLink(out.resolve("Linked.class"))).isTrue();
    assertThat(err()).isEmpty();
  }

  @Test
  public void whatIsOutsideOfAFolderIsNotReadThroughALink() throws Exception {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Path secret = Files.writeString(outside.resolve("secret"), "not of the application");
    Path app = Files.createDirectory(root.resolve("app"));
    Files.createSymbolicLink(app.resolve("folder"), Path.of("../outside"));
    Files.createSymbolicLink(app.resolve("file"), secret);
    Path out = root.resolve("elsewhere/out");
    assertThat(run(app, "-o", out)).as(err()).isZero();
    assertThat(Files.isSymbolicLink(out.resolve("folder"))).isTrue();
    assertThat(out.resolve("folder").toRealPath()).isEqualTo(outside.toRealPath());
    assertThat(Files.isSymbolicLink(out.resolve("file"))).isTrue();
    assertThat(out.resolve("file").toRealPath()).isEqualTo(secret.toRealPath());
    assertThat(err())
        .contains("folder: copied as the link that it is: it leads to " + outside.toRealPath())
        .contains("file: copied as the link that it is: it leads to " + secret.toRealPath());
  }

  /** Two links to the next folder in each of 30 would make a billion paths. */
  @Test
  public void eachFolderIsVisitedOnceHoweverManyLinksLeadToIt() throws Exception {
    Path app = Files.createDirectory(root.resolve("app"));
    for (int i = 0; i < 30; i++) {
      Path folder = Files.createDirectory(app.resolve("f" + i));
      Files.createSymbolicLink(folder.resolve("left"), Path.of("../f" + (i + 1)));
      Files.createSymbolicLink(folder.resolve("right"), Path.of("../f" + (i + 1)));
    }
    Path last = Files.createDirectory(app.resolve("f30"));
    Files.copy(classes.resolve("app/Main.class"), last.resolve("Main.class"));
    assertThat(run(app, "-o", root.resolve("out"))).as(err()).isZero();
    assertThat(Files.readAllBytes(root.resolve("out/f0/left/right/../f30/Main.class")))
        .containsSequence(UKA);
  }

  @Test
  public void linksThatLeadNowhereOrRoundStayLinks() throws Exception {
    Path app = Files.createDirectories(root.resolve("app/sub"));
    Files.createSymbolicLink(app.resolve("round"), Path.of(".."));
    Files.createSymbolicLink(app.resolve("dangling"), Path.of("no file here"));
    Path out = root.resolve("out");
    assertThat(run(root.resolve("app"), "-o", out)).as(err()).isZero();
    assertThat(Files.readSymbolicLink(out.resolve("sub/round"))).isEqualTo(Path.of(".."));
    assertThat(Files.readSymbolicLink(out.resolve("sub/dangling")))
        .isEqualTo(Path.of("no file here"));
    assertThat(err())
        .contains("dangling: copied as the link that it is: it leads to nothing")
        .doesNotContain("round");
  }

  @Test
  public void outputsAreAsPrivateAsTheirInputs() throws Exception {
    Path app = Files.createDirectory(root.resolve("app"));
    Path jar = jar(app.resolve("in.jar"));
    Path copied = Files.copy(classes.resolve("app/Main.class"), app.resolve("Main.class"));
    permit(jar, "rw-------");
    permit(copied, "r--r-----");
    permit(app, "r-xr-x---");
    assertThat(run(app, "-o", root.resolve("out"))).as(err()).isZero();
    assertThat(mode(root.resolve("out/in.jar"))).isEqualTo("rw-------");
    assertThat(mode(root.resolve("out/Main.class"))).isEqualTo("r--r-----");
    assertThat(mode(root.resolve("out"))).isEqualTo("r-xr-x---");
    assertThat(run(jar, "-o", root.resolve("one.jar"))).as(err()).isZero();
    assertThat(mode(root.resolve("one.jar"))).isEqualTo("rw-------");
    permit(app, "rwxr-x---");
    permit(root.resolve("out"), "rwxr-x---");
  }

  @Test
  public void ofSeveralInputsAllAreRewrittenOrNone() throws Exception {
    Path good = jar(root.resolve("good.jar"));
    Path bad = Files.writeString(root.resolve("bad.jar"), "no jar");
    Path out = root.resolve("new/out");
    assertThat(run(good, bad, "-o", out)).isEqualTo(1);
    assertThat(err()).contains("bad.jar is no jar");
    assertThat(root.resolve("new")).as("made for the outputs").doesNotExist();
    Files.createDirectories(out);
    Path old = Files.writeString(out.resolve("good.jar"), "old");
    assertThat(run(good, bad, "-o", out)).isEqualTo(1);
    assertThat(old).as("what was there").hasContent("old");
    assertThat(out.toFile().list()).containsExactly("good.jar");
    assertThat(run(good, "-o", out)).isZero();
    assertThat(Files.size(old)).isGreaterThan(3);
    assertThat(out.toFile().list()).containsExactly("good.jar");
  }

  @Test
  public void aDirectoryIsNeverReplacedByAJar() throws Exception {
    Path good = jar(root.resolve("good.jar"));
    Path other = jar(root.resolve("other.jar"));
    Path out = Files.createDirectory(root.resolve("out"));
    Files.writeString(out.resolve("good.jar"), "old");
    Files.createDirectories(out.resolve("other.jar/in it"));
    assertThat(run(good, other, "-o", out)).isEqualTo(1);
    assertThat(err()).contains("other.jar is there already");
    assertThat(out.resolve("good.jar")).hasContent("old");
    assertThat(out.resolve("other.jar/in it")).exists();
    assertThat(out.toFile().list()).containsExactlyInAnyOrder("good.jar", "other.jar");
  }

  @Test
  public void twoInputsOfOneNameAreRefused() throws Exception {
    Path one = jar(Files.createDirectory(root.resolve("one")).resolve("lib.jar"));
    Path two = jar(Files.createDirectory(root.resolve("two")).resolve("lib.jar"));
    assertThat(run(one, two, "-o", root.resolve("out"))).isEqualTo(1);
    assertThat(err()).contains("two inputs are called lib.jar").hasLineCount(1);
    assertThat(root.resolve("out")).doesNotExist();
  }

  @Test
  public void entriesNeedNotFitInMemory() throws Exception {
    Path jar = root.resolve("in.jar");
    byte[] zeros = new byte[1 << 20];
    Path nested = root.resolve("nested.jar");
    int megabytes = 96;
    try (JarOutputStream out = large(nested, "data.bin", megabytes, zeros)) {
      add(out, "app/Nested.class", Files.readAllBytes(classes.resolve("app/Main.class")));
    }
    try (JarOutputStream out = large(jar, "Data.class", megabytes, zeros)) {
      add(out, "app/Main.class", Files.readAllBytes(classes.resolve("app/Main.class")));
      out.putNextEntry(new JarEntry("lib/nested.jar"));
      Files.copy(nested, out);
      out.closeEntry();
    }
    Path karmi = Jars.karmi(root);
    String command = "io.karmi.retrofit.cli.KarmiRetrofit";
    Path target = root.resolve("out.jar");
    Jvm.Result result = Jvm.java("-Xmx40m", "-cp", karmi, command, jar, "-o", target);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    Jvm.Result ran = Jvm.java("-cp", target + File.pathSeparator + karmi, "app.Main");
    assertThat(ran.out()).contains("RewiredObjectOutputStream");
    assertThat(target.resolveSibling(".out.jar.unfinished")).doesNotExist();
  }

  private static JarOutputStream large(Path jar, String name, int times, byte[] part)
      throws IOException {
    OutputStream file = Files.newOutputStream(jar);
    JarOutputStream out = new JarOutputStream(file);
    out.putNextEntry(new JarEntry(name));
    for (int i = 0; i < times; i++) {
      out.write(part);
    }
    out.closeEntry();
    return out;
  }

  private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(bytes);
    out.closeEntry();
  }

  private static final String BASE =
      """
      package app;
      import java.io.*;
      public class Base implements Serializable {
        private static final long serialVersionUID = 1;
        protected int number;
      """;

  @Test
  public void aSuperclassThatIsAnotherOnThisJavaIsReadAndWrittenAsThere() throws Exception {
    String sub =
        """
        package app;
        import java.io.*;
        public class Sub extends Base {
          private static final long serialVersionUID = 1;
          private int more = 2;
          public static void main(String[] args) throws Exception {
            Sub sub = new Sub();
            sub.number = 1;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(sub); }
            Sub read = (Sub) new ObjectInputStream(
                new ByteArrayInputStream(bytes.toByteArray())).readObject();
            System.out.println(read.number + " " + read.more);
          }
        }
        """;
    String hooks =
        """
          private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject(); out.writeInt(number + 40);
          }
          private void readObject(ObjectInputStream in)
              throws IOException, ClassNotFoundException {
            in.defaultReadObject(); number = in.readInt();
          }
        """;
    Path versioned = root.resolve("versioned");
    Sources.compile(versioned, List.of(), BASE + "}", sub);
    Path later = Sources.compile(root.resolve("later"), List.of(), BASE + hooks + "}");
    Path place = Files.createDirectories(versioned.resolve("META-INF/versions/17/app"));
    Files.copy(later.resolve("app/Base.class"), place.resolve("Base.class"));
    Path in = Jars.of(root.resolve("in.jar"), Jars.manifest("Multi-Release", "true"), versioned);
    Path out = root.resolve("out.jar");
    assertThat(run("--weave", in, "-o", out)).as(err()).isZero();
    Path karmi = Jars.karmi(root);
    Jvm.Result stock = Jvm.java("-cp", in, "app.Sub");
    assertThat(stock.out()).isEqualTo("41 2\n");
    assertThat(Jvm.java("-cp", out + File.pathSeparator + karmi, "app.Sub")).isEqualTo(stock);
    assertThat(Files.exists(out, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }
}
