package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ModuleTies;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What ties the jars of a run, or of one jar, to each other. A class loader takes no class whose
 * signers are not those of its package's first class, and the JVM starts with no module whose hash
 * is not the one that another module has of it. So where a jar changes, signatures and hashes of
 * others have to go, and those jars change as well.
 *
 * @param <J> what names a jar
 */
final class Ties<J> {
  private final Map<J, Jar> jars = new LinkedHashMap<>();

  /**
   * The ties of one jar.
   *
   * @param packages those of its classes, as folders; empty unless it is signed
   * @param modules names in its module descriptors; empty if it has none
   * @param tied modules of which it has hashes
   */
  record Ends(boolean signed, Set<String> packages, Set<String> modules, Set<String> tied) {
    static Ends of(ZipFile jar, List<ZipEntry> entries) throws IOException {
      boolean signed = JarSignature.isIn(entries);
      Set<String> packages = new HashSet<>();
      Set<String> modules = new HashSet<>();
      Set<String> tied = new HashSet<>();
      for (ZipEntry entry : entries) {
        String name = entry.getName();
        if (name.endsWith(JarRewriter.MODULE_INFO)) {
          ModuleTies ties = ModuleTies.of(EntryContents.bytes(jar, entry));
          tied.addAll(ties.tied());
          if (ties.name() != null) {
            modules.add(ties.name());
          }
        } else if (signed && name.endsWith(".class")) {
          String path = ClassWalk.ROOT.matcher(name).replaceFirst("");
          packages.add(path.substring(0, path.lastIndexOf('/') + 1));
        }
      }
      return new Ends(signed, packages, modules, tied);
    }
  }

  /** What has to go from a jar that has it. Without its hashes it has no signature, either. */
  record Loss(boolean signature, boolean hashes) {}

  private static final class Jar {
    final Ends ends;
    boolean changed;
    boolean withoutHashes;

    Jar(Ends ends, boolean changed) {
      this.ends = ends;
      this.changed = changed;
    }
  }

  void add(J name, Ends ends, boolean changed) {
    jars.put(name, new Jar(ends, changed));
  }

  /** Notes that a jar has changed, and so has no signature any more. */
  void changed(J name) {
    Jar jar = jars.get(name);
    if (jar != null) {
      jar.changed = true;
    }
  }

  /** What has to go from which jar, because others have changed. */
  Map<J, Loss> losses() {
    Map<J, Loss> losses = new LinkedHashMap<>();
    for (boolean more = true; more; ) {
      more = false;
      Set<String> unsigned = new HashSet<>();
      Set<String> modules = new HashSet<>();
      boolean anyModule = false;
      for (Jar jar : jars.values()) {
        if (jar.changed) {
          unsigned.addAll(jar.ends.packages);
          modules.addAll(jar.ends.modules);
          anyModule |= jar.ends.modules.isEmpty(); // named by its file, or by its manifest
        }
      }
      for (Map.Entry<J, Jar> each : jars.entrySet()) {
        Jar jar = each.getValue();
        boolean hashes =
            !jar.withoutHashes
                && !jar.ends.tied.isEmpty()
                && (anyModule || !Collections.disjoint(jar.ends.tied, modules));
        boolean shares = !Collections.disjoint(jar.ends.packages, unsigned);
        boolean signature = !jar.changed && jar.ends.signed && (shares || hashes);
        if (signature || hashes) {
          losses.merge(
              each.getKey(),
              new Loss(signature, hashes),
              (a, b) -> new Loss(a.signature || b.signature, a.hashes || b.hashes));
          jar.changed = true;
          jar.withoutHashes |= hashes;
          more = true;
        }
      }
    }
    return losses;
  }
}
