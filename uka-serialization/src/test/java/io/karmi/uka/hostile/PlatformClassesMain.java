package io.karmi.uka.hostile;

import com.sun.management.ThreadMXBean;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.type.LocalClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads forged objects of each serializable class of some modules of the JDK, and prints a line for
 * each read that waits, or takes too much time or memory.
 */
public final class PlatformClassesMain {
  private static final List<String> MODULES =
      List.of("java.base", "java.management", "java.naming", "java.logging", "java.rmi");

  /** Packages of java.desktop whose classes are data. */
  private static final Set<String> DESKTOP =
      Set.of(
          "java.awt.color",
          "java.awt.font",
          "java.awt.geom",
          "java.beans",
          "javax.print.attribute",
          "javax.print.attribute.standard",
          "javax.swing.event",
          "javax.swing.table",
          "javax.swing.tree",
          "javax.swing.undo");

  /** Limits of one read. */
  private static final long MOST_NANOS = 1_000_000_000L;

  private static final long MOST_BYTES = 1 << 20;

  /** Time after which a read is said to wait, in milliseconds. */
  private static final long PATIENCE = 20_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static volatile String current = "";
  private static volatile long since;
  private static int reads;
  private static int findings;

  private PlatformClassesMain() {}

  public static void main(String[] arguments) throws Exception {
    List<Class<?>> classes = classes();
    Thread worker = new Thread(() -> classes.forEach(PlatformClassesMain::readForged), "reader");
    worker.setDaemon(true);
    since = System.nanoTime();
    worker.start();
    int threads = Thread.activeCount();
    for (worker.join(100); worker.isAlive(); worker.join(100)) {
      if (System.nanoTime() - since > PATIENCE * 1_000_000) {
        System.out.println("waits: " + current + " " + List.of(worker.getStackTrace()));
        System.exit(1);
      }
    }
    if (Thread.activeCount() > threads - 1) {
      System.out.println("threads: " + Thread.getAllStackTraces().keySet());
      findings++;
    }
    System.out.println(
        "read " + reads + " objects of " + classes.size() + " classes, findings: " + findings);
    System.exit(findings == 0 ? 0 : 1);
  }

  private static List<Class<?>> classes() throws IOException {
    List<Class<?>> all = new ArrayList<>();
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    for (String module : MODULES) {
      addClasses(all, root.resolve(module), false);
    }
    Path desktop = root.resolve("java.desktop");
    if (Files.exists(desktop)) {
      addClasses(all, desktop, true);
    }
    return all;
  }

  private static void addClasses(List<Class<?>> all, Path module, boolean desktop)
      throws IOException {
    try (Stream<Path> files = Files.walk(module)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = module.relativize(file).toString();
        if (name.endsWith(".class") && name.contains("/")) {
          String of = name.substring(0, name.length() - 6).replace('/', '.');
          if (!desktop || DESKTOP.contains(of.substring(0, of.lastIndexOf('.')))) {
            addClass(all, of);
          }
        }
      }
    }
  }

  private static void addClass(List<Class<?>> all, String name) {
    try {
      Class<?> type = Class.forName(name, false, null);
      if (Serializable.class.isAssignableFrom(type)
          && !Modifier.isAbstract(type.getModifiers())
          && !type.isEnum()
          && type != Class.class
          && type != String.class) {
        all.add(type);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      /* Of a module of the application loader, or not to be linked here. */
    }
  }

  private static void readForged(Class<?> type) {
    try {
      for (ForgedObjects.Content content : ForgedObjects.Content.values()) {
        for (int fill : new int[] {0, 1, 0x7f, -1}) {
          read(type, content, fill, null);
        }
        for (LocalClass missing : ForgedObjects.levelsOf(type)) {
          read(type, content, 1, missing);
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void read(
      Class<?> type, ForgedObjects.Content content, int fill, LocalClass missing)
      throws IOException {
    byte[] bytes = ForgedObjects.of(type, level -> level != missing, fill, content);
    current =
        type.getName()
            + " "
            + content
            + " "
            + fill
            + (missing == null ? "" : " without " + missing);
    String finding = measure(bytes);
    if (finding != null) {
      finding = measure(bytes); // what takes long the first time only is compiled or loaded
    }
    if (finding != null) {
      findings++;
      System.out.println(current + ": " + finding);
    }
  }

  private static String measure(byte[] bytes) {
    reads++;
    since = System.nanoTime();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long nanos = THREADS.getCurrentThreadCpuTime();
    String error = null;
    try {
      Object read = new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
      error = read == null ? "null was read" : null;
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      /* Refused. */
    } catch (Error e) {
      error = e + " at " + e.getStackTrace()[0] + " " + e.getStackTrace()[1];
    }
    nanos = THREADS.getCurrentThreadCpuTime() - nanos;
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    if (error != null) {
      return error;
    }
    if (nanos > MOST_NANOS) {
      return nanos / 1_000_000 + " ms of processor time";
    }
    return allocated > MOST_BYTES ? allocated + " bytes allocated" : null;
  }
}
