package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Jvm;
import io.karmi.marshal.RemoteTranslation;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

/** Names of absent classes that peers send. */
public class NamesOfPeersTest {
  private static final ClassLoader OWN = NamesOfPeersTest.class.getClassLoader();

  /** Characters of a name; the VM passes no longer ones on. */
  private static final int LENGTH = 60_000;

  private static final long HEAP = 64 << 20;

  /** Keeps each name, as the JDK's loaders do. */
  private static final class Keeping extends ClassLoader {
    private final Set<String> kept = new HashSet<>();
    private long bytes;

    Keeping() {
      super(OWN);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (kept.add(name)) {
        bytes += name.length();
      }
      return super.loadClass(name, resolve);
    }
  }

  /** A program that is asked for names that take twice the share, and prints those it kept. */
  static final class Asked {
    private Asked() {}

    /** The program. */
    public static void main(String... arguments) {
      RemoteTranslation translation = Node.current().translation();
      Keeping loader = new Keeping();
      for (int i = 0; i < HEAP / 16 / LENGTH; i++) {
        String name = "absent" + i + "x".repeat(LENGTH);
        assertThatThrownBy(() -> translation.resolveClass(name, loader))
            .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> translation.resolveProxyClass(new String[] {name + "I"}, loader))
            .isInstanceOf(ClassNotFoundException.class);
      }
      System.out.println(loader.bytes);
    }
  }

  /** A program that is asked for arrays of many dimensions, and prints what their classes take. */
  static final class AskedForArrays {
    private static final String[] ELEMENTS = {
      "java.lang.String", "java.lang.Thread", "java.util.List", "java.util.Map", "java.util.Set",
      "java.util.UUID", "java.util.Date", "java.util.Random", "java.net.URI", "java.net.URL"
    };

    private AskedForArrays() {}

    /** The program. */
    public static void main(String... arguments) throws Exception {
      RemoteTranslation translation = Node.current().translation();
      long before = metaspace();
      int refused = 0;
      for (String element : ELEMENTS) {
        for (int dimensions = 250; dimensions <= 255; dimensions++) {
          String name = "[".repeat(dimensions) + "L" + element + ";";
          try {
            translation.resolveClass(name, OWN);
          } catch (ClassNotFoundException e) {
            refused++;
          }
        }
      }
      Class<?> usual = translation.resolveClass("[[[I", OWN);
      System.out.println(refused > 0 && usual == int[][][].class ? metaspace() - before : -1);
    }

    private static long metaspace() {
      return ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getName().equals("Metaspace"))
          .mapToLong(pool -> pool.getUsage().getUsed())
          .sum();
    }
  }

  @Test
  public void classesOfArraysThatPeersNameTakeAShareOfTheHeap() throws Exception {
    Jvm.Result asked =
        Jvm.java("-Xmx" + HEAP, "-cp", Jvm.classPath(), AskedForArrays.class.getName());
    assertThat(asked.exit()).as(asked.err()).isZero();
    assertThat(Long.parseLong(asked.out().trim())).isBetween(0L, HEAP / 8);
  }

  @Test
  public void loadersAreNotAskedForMoreNamesThanTakeAShareOfTheHeap() throws Exception {
    Jvm.Result asked = Jvm.java("-Xmx" + HEAP, "-cp", Jvm.classPath(), Asked.class.getName());
    assertThat(asked.exit()).as(asked.err()).isZero();
    assertThat(Long.parseLong(asked.out().trim())).isBetween(1L, HEAP / 16);
  }
}
