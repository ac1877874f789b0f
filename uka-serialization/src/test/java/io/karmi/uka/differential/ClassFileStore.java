package io.karmi.uka.differential;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Class files that JVMs on the same class path compile for each other: a file in a folder for each
 * list of sources. The compiler is most of the work of a JVM that runs the tests of semantics, and
 * several do.
 */
final class ClassFileStore {
  private final Path folder;

  ClassFileStore(Path folder) {
    this.folder = folder;
  }

  Optional<Map<String, byte[]>> find(List<String> sources) throws IOException {
    Path file = file(sources);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Map<String, byte[]> classFiles = new LinkedHashMap<>();
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int left = in.readInt(); left > 0; left--) {
        String name = in.readUTF();
        classFiles.put(name, in.readNBytes(in.readInt()));
      }
    }
    return Optional.of(classFiles);
  }

  /** Moved into its place, so that no other JVM sees half of it. */
  void add(List<String> sources, Map<String, byte[]> classFiles) throws IOException {
    Files.createDirectories(folder);
    Path half = Files.createTempFile(folder, "half", "");
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(half))) {
      out.writeInt(classFiles.size());
      for (Map.Entry<String, byte[]> each : classFiles.entrySet()) {
        out.writeUTF(each.getKey());
        out.writeInt(each.getValue().length);
        out.write(each.getValue());
      }
    }
    Files.move(half, file(sources), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path file(List<String> sources) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String source : sources) {
        digest.update(source.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return folder.resolve(new BigInteger(1, digest.digest()).toString(16));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
