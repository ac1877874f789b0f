package io.karmi.retrofit.jar;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/**
 * Walk over the class files of jars and directories, those of jars inside them included. Writes
 * nothing and defines no class. Not thread-safe.
 */
public final class ClassWalk {
  private static final int BUFFER_BYTES = 1 << 16;

  /** Where executable jars, web applications and multi-release jars keep classes. */
  static final Pattern ROOT =
      Pattern.compile("^(BOOT-INF/classes|WEB-INF/classes|META-INF/versions/\\d+)/");

  private static final String CLASS = ".class";

  private final Visitor visitor;
  private final Unread unread;

  /** What is told of each class file. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * A class file.
     *
     * @param place the jar or directory that holds it, with {@code !/} before a jar inside a jar
     * @param name internal name of the class, by the name of its file
     */
    void classFile(String place, String name, byte[] bytes);
  }

  /** What is told of each jar that cannot be read to its end: the walk goes on behind it. */
  @FunctionalInterface
  public interface Unread {
    /** A jar that is none, or expands beyond the limits of a rewriting. */
    void jar(Path jar, IOException problem);
  }

  /** A walk that tells these. */
  public ClassWalk(Visitor visitor, Unread unread) {
    this.visitor = visitor;
    this.unread = unread;
  }

  /**
   * Walks over a jar or a directory.
   *
   * @throws IOException if a directory or a class file cannot be read
   */
  public void walk(Path root) throws IOException {
    walk(root, true);
  }

  /**
   * Walks over an element of a class path: a jar, or a directory in which the JVM sees no jars.
   *
   * @throws IOException as {@link #walk} does
   */
  public void walkElement(Path root) throws IOException {
    walk(root, false);
  }

  private void walk(Path root, boolean jarsInDirectory) throws IOException {
    if (!Files.isDirectory(root)) {
      jar(root);
      return;
    }
    for (Path path : Tree.of(root)) {
      String name = root.relativize(path).toString().replace('\\', '/');
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      if (JarRewriter.isJar(name)) {
        if (jarsInDirectory) {
          jar(path);
        }
      } else if (isClass(name)) {
        classFile(root, path, name);
      }
    }
  }

  private void classFile(Path root, Path path, String name) throws IOException {
    byte[] bytes;
    try {
      if (Files.size(path) > EntryContents.MAXIMUM_CLASS_BYTES) {
        return;
      }
      bytes = Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      return; // another program has removed it meanwhile
    }
    tell(root.toString(), name, bytes);
  }

  private void jar(Path path) {
    try {
      readJar(path);
    } catch (IOException e) {
      unread.jar(path, e);
    }
  }

  private void readJar(Path path) throws IOException {
    String place = path.toString();
    Expansion expansion = Expansion.of(Files.size(path));
    expansion.enter(place);
    try (ZipFile jar = new ZipFile(path.toFile())) {
      for (Enumeration<? extends ZipEntry> all = jar.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String name = entry.getName();
        if (isClass(name) && entry.getSize() <= EntryContents.MAXIMUM_CLASS_BYTES) {
          expansion.add(entry.getSize(), place);
          tell(place, name, EntryContents.bytes(jar, entry));
        } else if (JarRewriter.isJar(name) && !entry.isDirectory()) {
          try (InputStream in = EntryContents.open(jar, entry)) {
            nested(in, place + "!/" + name, expansion);
          }
        }
      }
    } catch (ZipException | EOFException | IllegalArgumentException e) { // the last for a name
      throw EntryContents.noJar(place, e);
    } finally {
      expansion.leave();
    }
  }

  private void nested(InputStream bytes, String place, Expansion expansion) throws IOException {
    expansion.enter(place);
    ZipInputStream jar = new ZipInputStream(bytes);
    for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
      String name = entry.getName();
      if (JarRewriter.isJar(name) && !entry.isDirectory()) {
        nested(jar, place + "!/" + name, expansion);
      } else if (isClass(name)) {
        byte[] classFile = jar.readNBytes((int) EntryContents.MAXIMUM_CLASS_BYTES);
        expansion.add(classFile.length, place);
        tell(place, name, classFile);
      }
      skipRest(jar, place, expansion);
    }
    expansion.leave();
  }

  /** What an entry inflates to is bounded, also where its bytes are not wanted. */
  private static void skipRest(InputStream entry, String place, Expansion expansion)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int read = entry.read(buffer); read >= 0; read = entry.read(buffer)) {
      expansion.add(read, place);
    }
  }

  private static boolean isClass(String name) {
    return name.endsWith(CLASS)
        && !name.endsWith(JarRewriter.MODULE_INFO)
        && !name.endsWith("package-info.class");
  }

  private void tell(String place, String name, byte[] bytes) {
    String own = name.substring(0, name.length() - CLASS.length());
    visitor.classFile(place, ROOT.matcher(own).replaceFirst(""), bytes);
  }
}
