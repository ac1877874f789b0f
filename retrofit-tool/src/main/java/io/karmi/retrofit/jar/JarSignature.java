package io.karmi.retrofit.jar;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** The parts of a jar that sign it: signature files, and digests in the manifest. */
final class JarSignature {
  private static final String DIRECTORY = "META-INF/";

  private JarSignature() {}

  /** Whether a jar with these entries is signed. */
  static boolean isIn(List<ZipEntry> entries) {
    return entries.stream().anyMatch(entry -> isSignatureFile(entry.getName()));
  }

  static boolean isSignatureFile(String entry) {
    String name = entry.toUpperCase(Locale.ROOT);
    if (!name.startsWith(DIRECTORY) || name.indexOf('/', DIRECTORY.length()) >= 0) {
      return false;
    }
    return name.endsWith(".SF")
        || name.endsWith(".RSA")
        || name.endsWith(".DSA")
        || name.endsWith(".EC")
        || name.startsWith(DIRECTORY + "SIG-");
  }

  /** Removes digests from the manifest, and sections that hold nothing else. */
  static void strip(Manifest manifest) {
    manifest.getEntries().values().removeIf(JarSignature::holdsOnlyDigests);
    for (Map.Entry<String, Attributes> section : manifest.getEntries().entrySet()) {
      section.getValue().keySet().removeIf(JarSignature::isDigest);
    }
  }

  private static boolean holdsOnlyDigests(Attributes section) {
    return !section.isEmpty() && section.keySet().stream().allMatch(JarSignature::isDigest);
  }

  private static boolean isDigest(Object attribute) {
    String name = attribute.toString().toUpperCase(Locale.ROOT);
    return name.endsWith("-DIGEST") || name.contains("-DIGEST-");
  }
}
