package io.karmi.retrofit.jar;

import io.karmi.cli.Unfinished;
import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Rewriter of one jar: of its classes in all their versions, and of the jars inside it.
 *
 * <p>There are two passes, since manifest and module descriptor depend on whether any class
 * changes. A jar without changes is copied byte for byte, with its signature.
 */
final class JarRewriter {
  static final String MODULE_INFO = "module-info.class";

  private final Transformer transformer;
  private final Report report;

  JarRewriter(Transformer transformer, Report report) {
    this.transformer = transformer;
    this.report = report;
  }

  static boolean isJar(String name) {
    return name.endsWith(".jar") || name.endsWith(".war") || name.endsWith(".ear");
  }

  /** The number of class files in a jar; 0 for other files. */
  static int countClasses(Path path) {
    if (!isJar(path.toString()) || !Files.isRegularFile(path)) {
      return 0;
    }
    try (ZipFile jar = new ZipFile(path.toFile())) {
      return (int) jar.stream().filter(entry -> entry.getName().endsWith(".class")).count();
    } catch (IOException e) {
      return 0; // reported when the jar is rewritten
    }
  }

  /**
   * What has been done to a jar.
   *
   * @param executable whether it is a program that needs KaRMI beside it: some class changed, and
   *     it has a main class
   * @param ends what ties it to other jars
   */
  record Rewritten(boolean changed, boolean executable, Ties.Ends ends) {}

  /**
   * Rewrites a jar.
   *
   * @param place name of the jar in reports and errors
   * @param target where to write the result; null to write nothing
   */
  Rewritten rewrite(Path source, String place, @Nullable Path target) throws IOException {
    return rewrite(source, place, target, Expansion.of(Files.size(source)));
  }

  /** As above, for a jar whose input has expanded so far. */
  Rewritten rewrite(Path source, String place, @Nullable Path target, Expansion expansion)
      throws IOException {
    expansion.enter(place);
    try (ZipFile jar = new ZipFile(source.toFile());
        ChangedEntries changed = new ChangedEntries()) {
      List<ZipEntry> entries = entries(jar, place);
      for (ZipEntry entry : entries) {
        expansion.add(entry.getSize(), place);
      }
      Ties.Ends ends = Ties.Ends.of(jar, entries);
      rewriteEntries(jar, entries, place, changed, expansion);
      if (changed.isEmpty()) {
        if (target != null) {
          Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
        return new Rewritten(false, false, ends);
      }
      boolean executable = frontMatter(jar, entries, changed, true);
      if (ends.signed()) {
        report.warn(
            place,
            "its signature is dropped: what it signed has changed. Signed jars with classes of the"
                + " same packages have to be rewritten in the same run");
      }
      if (target != null) {
        Permissions.createFile(target);
        write(jar, entries, changed, target);
        Permissions.copy(source, target);
      }
      return new Rewritten(true, executable, ends);
    } catch (ZipException | EOFException | IllegalArgumentException e) { // the last for a name
      throw EntryContents.noJar(place, e);
    } finally {
      expansion.leave();
    }
  }

  /** Gives a program whose classes stay as they are KaRMI's jar on its class path. */
  void connect(String place, Path target) throws IOException {
    report.say(
        place, "its class path gets " + DiskRewriter.KARMI_JAR + ", as what it starts has changed");
    if (amend(target, place, false, true)) {
      report.warn(place, "its signature is dropped: its class path has changed");
    }
  }

  /**
   * Takes from a jar what no longer fits the others.
   *
   * @param target the jar, which is replaced; null to write nothing
   */
  void loosen(String place, @Nullable Path target, Ties.Loss loss) throws IOException {
    if (loss.hashes()) {
      String what =
          loss.signature()
              ? "its hashes of other modules, and its signature,"
              : "its hashes of other modules";
      report.warn(place, what + " are dropped: such a module has changed");
    } else {
      report.warn(
          place,
          "its signature is dropped, as that of another jar with classes of the same packages is");
    }
    if (target != null) {
      amend(target, place, loss.hashes(), false);
    }
  }

  /** Replaces a jar by one without its signature; returns whether it had one. */
  private boolean amend(Path target, String place, boolean untie, boolean connect)
      throws IOException {
    Path amended = Unfinished.add(target.resolveSibling(target.getFileName() + ".amended"));
    try (ZipFile jar = new ZipFile(target.toFile());
        ChangedEntries changed = new ChangedEntries()) {
      List<ZipEntry> entries = entries(jar, place);
      for (ZipEntry entry : entries) {
        if (untie && entry.getName().endsWith(MODULE_INFO)) {
          Outcome outcome = transformer.untie(EntryContents.bytes(jar, entry));
          if (outcome.bytes() != null) {
            changed.put(entry.getName(), outcome.bytes());
          }
        }
      }
      frontMatter(jar, entries, changed, connect);
      Files.deleteIfExists(amended);
      Permissions.createFile(amended);
      write(jar, entries, changed, amended);
      Permissions.copy(target, amended);
      Files.move(amended, target, StandardCopyOption.REPLACE_EXISTING);
      return JarSignature.isIn(entries);
    } finally {
      Files.deleteIfExists(amended);
      Unfinished.remove(amended);
    }
  }

  /** The entries, each name once: of several with the same name a class loader sees one, too. */
  private List<ZipEntry> entries(ZipFile jar, String place) {
    List<ZipEntry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ZipEntry entry : Collections.list(jar.entries())) {
      if (names.add(entry.getName())) {
        entries.add(jar.getEntry(entry.getName()));
      } else {
        report.say(place, entry.getName() + " is there more than once; one is kept");
      }
    }
    return entries;
  }

  private void rewriteEntries(
      ZipFile jar,
      List<ZipEntry> entries,
      String place,
      ChangedEntries changed,
      Expansion expansion)
      throws IOException {
    ClassFiles files = new JarClassFiles(jar, entries);
    Ties<ZipEntry> nested = new Ties<>();
    for (ZipEntry entry : entries) {
      String name = entry.getName();
      String entryPlace = place + "!/" + name;
      if (name.endsWith(".class") && !name.endsWith(MODULE_INFO)) {
        if (entry.getSize() > EntryContents.MAXIMUM_CLASS_BYTES) {
          report.say(entryPlace, "left as it is: too large for a class");
          continue;
        }
        Outcome outcome = rewired(transformer, EntryContents.bytes(jar, entry), files);
        report.add(entryPlace, outcome);
        if (outcome.bytes() != null) {
          changed.put(name, outcome.bytes());
        }
      } else if (isJar(name) && !entry.isDirectory()) {
        rewriteNested(jar, entry, entryPlace, changed, expansion, nested);
      }
    }
    for (Map.Entry<ZipEntry, Ties.Loss> loss : nested.losses().entrySet()) {
      loosenNested(jar, loss.getKey(), place, changed, loss.getValue());
    }
    boolean rewired = changed.names().stream().anyMatch(name -> name.endsWith(".class"));
    for (ZipEntry entry : entries) {
      if (entry.getName().endsWith(MODULE_INFO)) {
        Outcome outcome = transformer.connect(EntryContents.bytes(jar, entry), rewired);
        report.add(place + "!/" + entry.getName(), outcome);
        if (outcome.bytes() != null) {
          changed.put(entry.getName(), outcome.bytes());
        }
      }
    }
  }

  /**
   * Rewires a class. A class file whose lengths lie may ask for any memory: then it is left as it
   * is.
   */
  static Outcome rewired(Transformer transformer, byte[] classFile, ClassFiles files) {
    try {
      return transformer.transform(classFile, files);
    } catch (OutOfMemoryError | StackOverflowError e) {
      return new Outcome(null, List.of(), "its rewriting takes more memory than there is: " + e);
    }
  }

  private void rewriteNested(
      ZipFile jar,
      ZipEntry entry,
      String place,
      ChangedEntries changed,
      Expansion expansion,
      Ties<ZipEntry> ties)
      throws IOException {
    try (Scratch scratch = new Scratch()) {
      Path source = scratch.file("in.jar");
      try (InputStream in = EntryContents.open(jar, entry);
          OutputStream out = new NamedOutput(source)) {
        in.transferTo(out);
      }
      if (!isZip(source)) {
        report.say(place, "left as it is: no jar");
        return;
      }
      Path target = scratch.file("out.jar");
      Rewritten rewritten = rewrite(source, place, target, expansion);
      ties.add(entry, rewritten.ends(), rewritten.changed());
      if (rewritten.changed()) {
        putNested(target, entry, changed);
      }
    }
  }

  private void loosenNested(
      ZipFile jar, ZipEntry entry, String place, ChangedEntries changed, Ties.Loss loss)
      throws IOException {
    try (Scratch scratch = new Scratch()) {
      Path file = scratch.file("in.jar");
      try (InputStream in = open(jar, entry, changed);
          OutputStream out = new NamedOutput(file)) {
        in.transferTo(out);
      }
      loosen(place + "!/" + entry.getName(), file, loss);
      putNested(file, entry, changed);
    }
  }

  private static void putNested(Path file, ZipEntry entry, ChangedEntries changed)
      throws IOException {
    try (OutputStream out = changed.put(entry.getName())) {
      Files.copy(file, out);
    }
  }

  private static boolean isZip(Path path) throws IOException {
    try (ZipFile zip = new ZipFile(path.toFile())) {
      return zip.size() >= 0;
    } catch (ZipException e) {
      return false;
    }
  }

  /**
   * Adapts the manifest to the changes.
   *
   * @param connect whether a program gets KaRMI's jar on its class path
   * @return whether that was asked for, and the jar has a main class
   */
  private static boolean frontMatter(
      ZipFile jar, List<ZipEntry> entries, ChangedEntries changed, boolean connect)
      throws IOException {
    for (ZipEntry entry : entries) {
      String name = entry.getName();
      if (name.equals(JarFile.MANIFEST_NAME)) {
        byte[] old = EntryContents.bytes(jar, entry);
        Manifest manifest = Manifests.parse(old);
        JarSignature.strip(manifest);
        boolean executable = connect && addToClassPath(manifest.getMainAttributes());
        if (!manifest.equals(Manifests.parse(old))) {
          changed.put(name, Manifests.format(manifest));
        }
        return executable;
      }
    }
    return false;
  }

  /**
   * Adds KaRMI's jar to the class path of a program for {@code java -jar}; false if the jar is
   * none.
   */
  private static boolean addToClassPath(Attributes main) {
    if (main.getValue(Attributes.Name.MAIN_CLASS) == null) {
      return false;
    }
    String classPath = main.getValue(Attributes.Name.CLASS_PATH);
    String all = classPath == null ? "" : classPath.strip() + " ";
    if (!(" " + all).contains(" " + DiskRewriter.KARMI_JAR + " ")) {
      main.put(Attributes.Name.CLASS_PATH, all + DiskRewriter.KARMI_JAR);
    }
    return true;
  }

  private static void write(
      ZipFile jar, List<ZipEntry> entries, ChangedEntries changed, Path target) throws IOException {
    try (OutputStream file = new BufferedOutputStream(new NamedOutput(target));
        ZipOutputStream out = new ZipOutputStream(file)) {
      LeadingBytes.copy(jar, file);
      if (jar.getComment() != null) {
        out.setComment(jar.getComment());
      }
      for (ZipEntry entry : entries) {
        if (!JarSignature.isSignatureFile(entry.getName())) {
          put(out, jar, entry, changed);
        }
      }
    }
  }

  /**
   * Writes an entry with its old times, permissions and compression: launchers that map nested jars
   * need them uncompressed.
   */
  private static void put(ZipOutputStream out, ZipFile jar, ZipEntry old, ChangedEntries changed)
      throws IOException {
    ZipEntry entry = new ZipEntry(old);
    entry.setCompressedSize(-1); // other compressors make other bytes
    if (old.getMethod() == ZipEntry.STORED) {
      CRC32 crc = new CRC32();
      long size;
      try (InputStream in = open(jar, old, changed)) {
        size = in.transferTo(new CheckedOutputStream(OutputStream.nullOutputStream(), crc));
      }
      entry.setCrc(crc.getValue());
      entry.setSize(size);
      entry.setCompressedSize(size);
    }
    out.putNextEntry(entry);
    try (InputStream in = open(jar, old, changed)) {
      in.transferTo(out);
    }
    out.closeEntry();
  }

  private static InputStream open(ZipFile jar, ZipEntry entry, ChangedEntries changed)
      throws IOException {
    InputStream in = changed.open(entry.getName());
    return in == null ? EntryContents.open(jar, entry) : in;
  }
}
