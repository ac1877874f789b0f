package io.karmi.retrofit.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Jars as they should not be, and as they are. */
public class OddJarsTest {
  private static final String CREATES =
      """
      package app;
      public class Main {
        static Object make() throws java.io.IOException {
          return new java.io.ObjectOutputStream(java.io.OutputStream.nullOutputStream());
        }
      }
      """;
  private static final byte[] UKA = "io/karmi/uka/RewiredObjectOutputStream".getBytes(ISO_8859_1);

  private static final Set<PosixFilePermission> EXECUTABLE =
      PosixFilePermissions.fromString("rwxr-x---");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path root;
  private byte[] main;

  @Before
  public void compile() throws IOException {
    root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), CREATES);
    main = Files.readAllBytes(classes.resolve("app/Main.class"));
  }

  private void rewrite(Path in, Path target) {
    int exit =
        new KarmiRetrofit(new PrintStream(out, true), new PrintStream(err, true))
            .run(in.toString(), "-o", target.toString(), "--report");
    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
  }

  private static void put(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    jar.putNextEntry(new ZipEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }

  private static List<String> names(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return Collections.list(file.entries()).stream().map(JarEntry::getName).toList();
    }
  }

  private static boolean isRewired(Path jar, String name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      byte[] bytes = file.getInputStream(file.getEntry(name)).readAllBytes();
      return new String(bytes, ISO_8859_1).contains(new String(UKA, ISO_8859_1));
    }
  }

  @Test
  public void namesThatLeadOutStayNames() throws Exception {
    Path in = root.resolve("in.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(in), Jars.manifest())) {
      put(jar, "../../escaped.class", main);
      put(jar, "/absolute.class", main);
      put(jar, "../nested.jar", Files.readAllBytes(jarOf("inner.jar")));
    }
    Path target = Files.createDirectories(root.resolve("a/b")).resolve("out.jar");
    List<Path> before = files();
    rewrite(in, target);
    assertThat(names(target))
        .containsExactly(
            "META-INF/MANIFEST.MF", "../../escaped.class", "/absolute.class", "../nested.jar");
    assertThat(isRewired(target, "../../escaped.class")).isTrue();
    List<Path> written = new ArrayList<>(files());
    written.removeAll(before);
    assertThat(written).as("files written").containsExactly(target);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile).toList();
    }
  }

  private Path jarOf(String name) throws IOException {
    Path jar = root.resolve(name);
    try (JarOutputStream inner = new JarOutputStream(Files.newOutputStream(jar))) {
      put(inner, "app/Main.class", main);
    }
    return jar;
  }

  @Test
  public void whatOnlyHasTheNameOfAJarStays() throws Exception {
    Path in = root.resolve("in.war");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(in), Jars.manifest())) {
      put(jar, "WEB-INF/lib/real.jar", Files.readAllBytes(jarOf("real.jar")));
      put(jar, "WEB-INF/lib/no.jar", "none at all".getBytes(StandardCharsets.UTF_8));
      put(jar, "WEB-INF/lib/empty.jar", new byte[0]);
      put(jar, "WEB-INF/dir.jar/", new byte[0]);
      put(jar, "WEB-INF/classes/app/no.class", new byte[] {1, 2, 3});
      put(jar, "WEB-INF/classes/app/Main.class", main);
    }
    Path target = root.resolve("out.war");
    rewrite(in, target);
    assertThat(names(target)).isEqualTo(names(in));
    assertThat(isRewired(target, "WEB-INF/classes/app/Main.class")).isTrue();
    Path inner = root.resolve("inner-out.jar");
    try (JarFile file = new JarFile(target.toFile())) {
      Files.write(inner, file.getInputStream(file.getEntry("WEB-INF/lib/real.jar")).readAllBytes());
      assertThat(file.getInputStream(file.getEntry("WEB-INF/lib/no.jar")).readAllBytes())
          .isEqualTo("none at all".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(isRewired(inner, "app/Main.class")).isTrue();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("WEB-INF/lib/no.jar: left as it is: no jar");
  }

  @Test
  public void aNameThatIsThereTwiceIsKeptOnce() throws Exception {
    Path in = root.resolve("in.jar");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes, Jars.manifest())) {
      put(jar, "app/Main.class", main);
      put(jar, "app/main.class", main);
    }
    /* The tools refuse to write such a jar. */
    String twice = bytes.toString(ISO_8859_1).replace("app/main.class", "app/Main.class");
    try (OutputStream file = Files.newOutputStream(in)) {
      file.write(twice.getBytes(ISO_8859_1));
    }
    assertThat(names(in))
        .containsExactly("META-INF/MANIFEST.MF", "app/Main.class", "app/Main.class");
    Path target = root.resolve("out.jar");
    rewrite(in, target);
    assertThat(names(target)).containsExactly("META-INF/MANIFEST.MF", "app/Main.class");
    assertThat(isRewired(target, "app/Main.class")).isTrue();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("app/Main.class is there more than once; one is kept");
  }

  @Test
  public void entriesKeepTheirTimesAndPermissionsInAnyTimeZone() throws Exception {
    Path in = root.resolve("in.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(in), Jars.manifest())) {
      ZipEntry entry = new ZipEntry("app/Main.class");
      entry.setLastModifiedTime(FileTime.from(Instant.parse("2024-05-06T07:08:09Z")));
      jar.putNextEntry(entry);
      jar.write(main);
      jar.closeEntry();
      put(jar, "bin/start", new byte[] {1});
    }
    try (FileSystem zip =
        FileSystems.newFileSystem(in, Map.of("enablePosixFileAttributes", true))) {
      Files.setPosixFilePermissions(zip.getPath("bin/start"), EXECUTABLE);
    }
    Path target = root.resolve("out.jar");
    TimeZone zone = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
      rewrite(in, target);
    } finally {
      TimeZone.setDefault(zone);
    }
    assertThat(isRewired(target, "app/Main.class")).isTrue();
    try (JarFile before = new JarFile(in.toFile());
        JarFile after = new JarFile(target.toFile())) {
      ZipEntry entry = after.getEntry("app/Main.class");
      ZipEntry old = before.getEntry(entry.getName());
      assertThat(entry.getTimeLocal()).isEqualTo(old.getTimeLocal());
      assertThat(entry.getLastModifiedTime()).isEqualTo(old.getLastModifiedTime());
    }
    try (FileSystem zip =
        FileSystems.newFileSystem(target, Map.of("enablePosixFileAttributes", true))) {
      assertThat(Files.getPosixFilePermissions(zip.getPath("bin/start"))).isEqualTo(EXECUTABLE);
    }
  }

  @Test
  public void aManifestWithoutAVersionKeepsItsAttributes() throws Exception {
    Path in = root.resolve("in.jar");
    byte[] manifest = "Main-Class: app.Main\nMulti-Release: true\n\n".getBytes(ISO_8859_1);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(in))) {
      put(jar, JarFile.MANIFEST_NAME, manifest);
      put(jar, "app/Main.class", main);
    }
    Path target = root.resolve("out.jar");
    rewrite(in, target);
    try (JarFile after = new JarFile(target.toFile())) {
      Attributes attributes = after.getManifest().getMainAttributes();
      assertThat(attributes.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("app.Main");
      assertThat(attributes.getValue(Attributes.Name.CLASS_PATH)).isEqualTo("karmi.jar");
      assertThat(after.isMultiRelease()).isTrue();
    }
  }

  @Test
  public void aManifestThatSaysWhatItSaidKeepsItsBytes() throws Exception {
    Path in = root.resolve("in.jar");
    byte[] manifest =
        "Manifest-Version: 1.0\n\nName: b/\nSealed: true\n\nName: a/\nSealed: true\n\n"
            .getBytes(ISO_8859_1);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(in))) {
      put(jar, JarFile.MANIFEST_NAME, manifest);
      put(jar, "app/Main.class", main);
    }
    Path target = root.resolve("out.jar");
    rewrite(in, target);
    assertThat(isRewired(target, "app/Main.class")).isTrue();
    try (JarFile after = new JarFile(target.toFile())) {
      ZipEntry entry = after.getEntry(JarFile.MANIFEST_NAME);
      assertThat(after.getInputStream(entry).readAllBytes()).isEqualTo(manifest);
    }
  }

  @Test
  public void aScriptBeforeTheFirstEntryStays() throws Exception {
    byte[] script = "#!/bin/sh\nPK\u0003\u0004exec java -jar $0\n".getBytes(ISO_8859_1);
    byte[] jar = Files.readAllBytes(jarOf("plain.jar"));
    Path in = root.resolve("in.jar");
    try (OutputStream out = Files.newOutputStream(in)) {
      out.write(script);
      out.write(jar);
    }
    Path target = root.resolve("out.jar");
    rewrite(in, target);
    assertThat(isRewired(target, "app/Main.class")).isTrue();
    byte[] after = Files.readAllBytes(target);
    assertThat(Arrays.copyOf(after, script.length)).isEqualTo(script);
    assertThat(Arrays.copyOfRange(after, script.length, script.length + 4))
        .containsExactly('P', 'K', 3, 4);
  }
}
