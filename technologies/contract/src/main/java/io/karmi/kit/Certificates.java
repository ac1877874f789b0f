package io.karmi.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Keys and certificates in a folder, and the files that {@code karmi.tls} names. */
public final class Certificates {
  private static final String PASSWORD = "secret";
  private static final int DEADLINE_SECONDS = 60;

  private final Path folder;

  /** Those in a folder. */
  public Certificates(Path folder) {
    this.folder = folder;
  }

  /** Makes a key, whose certificate names the loopback addresses. */
  public void make(String name) throws IOException, InterruptedException {
    make(name, "ip:127.0.0.1,ip:::1,dns:localhost");
  }

  /**
   * Makes a key.
   *
   * @param hosts subject alternative names of its certificate, in the notation of keytool
   */
  public void make(String name, String hosts) throws IOException, InterruptedException {
    Files.deleteIfExists(folder.resolve(name + ".keys"));
    keytool(
        name + ".keys",
        List.of(
            "-genkeypair",
            "-alias",
            name,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + name,
            "-ext",
            "san=" + hosts));
    keytool(
        name + ".keys",
        List.of("-exportcert", "-alias", name, "-file", folder.resolve(name + ".crt").toString()));
  }

  /** A node that has that key and trusts others; returns the value of {@code karmi.tls}. */
  public String node(String name, String... trusted) throws IOException, InterruptedException {
    trust(name, trusted);
    Path file = folder.resolve(name + ".tls");
    Files.writeString(
        file,
        "keyStore="
            + name
            + ".keys\nkeyStorePassword=secret\ntrustStore="
            + name
            + ".trust\ntrustStorePassword=secret\n");
    return file.toString();
  }

  /** Replaces what a node trusts, at once. */
  public void trust(String name, String... trusted) throws IOException, InterruptedException {
    Path fresh = folder.resolve(name + ".trust.new");
    Files.deleteIfExists(fresh);
    for (String other : trusted) {
      keytool(
          fresh.getFileName().toString(),
          List.of(
              "-importcert",
              "-noprompt",
              "-alias",
              other,
              "-file",
              folder.resolve(other + ".crt").toString()));
    }
    Files.move(
        fresh,
        folder.resolve(name + ".trust"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private void keytool(String store, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(arguments);
    command.addAll(List.of("-keystore", folder.resolve(store).toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("keytool: " + said);
    }
  }
}
