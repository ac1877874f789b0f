package io.karmi.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates of nodes, and the files that {@code karmi.tls} names. */
public final class Keys {
  private final Path directory;

  /** Keys in a directory. */
  public Keys(Path directory) {
    this.directory = directory;
  }

  /** The TLS settings of a node that trusts another one; both get a key if they have none. */
  public String node(String name, String trusted) throws Exception {
    key(name);
    key(trusted);
    keytool(
        name + ".trust",
        List.of("-importcert", "-noprompt", "-alias", trusted, "-file", trusted + ".crt"));
    Path file = directory.resolve(name + ".tls");
    Files.writeString(
        file,
        String.join(
            "\n",
            "keyStore=" + name + ".keys",
            "keyStorePassword=secret",
            "trustStore=" + name + ".trust",
            "trustStorePassword=secret"));
    return file.toString();
  }

  private void key(String name) throws Exception {
    if (!Files.exists(directory.resolve(name + ".keys"))) {
      keytool(
          name + ".keys",
          List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name));
      keytool(name + ".keys", List.of("-exportcert", "-alias", name, "-file", name + ".crt"));
    }
  }

  private void keytool(String store, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    command.addAll(List.of("-keystore", store, "-storetype", "PKCS12", "-storepass", "secret"));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(command + ": " + said);
    }
  }
}
