package io.karmi.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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
    generate(name + ".keys", name, "san=" + hosts, List.of());
    export(name);
  }

  /** Makes the key of an authority, which certifies others. */
  public void makeAuthority(String name) throws IOException, InterruptedException {
    generate(name + ".keys", name, "bc:c", List.of());
    export(name);
  }

  /**
   * Makes a key that an authority of this folder certifies.
   *
   * @param hosts as for {@link #make(String, String)}
   * @param options more of them for keytool, such as when the certificate begins to be good
   */
  public void makeMember(String name, String authority, String hosts, String... options)
      throws IOException, InterruptedException {
    List<String> more = new ArrayList<>(List.of("-signer", authority));
    more.addAll(List.of(options));
    generate(authority + ".keys", name, "san=" + hosts, more);
    try {
      KeyStore both = store(authority + ".keys");
      KeyStore own = emptyStore();
      own.setKeyEntry(
          name, both.getKey(name, password()), password(), both.getCertificateChain(name));
      write(own, name + ".keys");
    } catch (GeneralSecurityException e) {
      throw new IOException("the key of " + name, e);
    }
  }

  private void generate(String store, String name, String extension, List<String> more)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name));
    arguments.addAll(List.of("-keyalg", "EC", "-dname", "CN=" + name, "-ext", extension));
    arguments.addAll(more);
    keytool(store, arguments);
  }

  private void export(String name) throws IOException {
    try {
      byte[] certificate = store(name + ".keys").getCertificate(name).getEncoded();
      Files.write(folder.resolve(name + ".crt"), certificate);
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate of " + name, e);
    }
  }

  /** A node that has that key and trusts others; returns the value of {@code karmi.tls}. */
  public String node(String name, String... trusted) throws IOException {
    trust(name, trusted);
    return nodeTrustingAs(name, name);
  }

  /** A node that has that key and trusts those that another trusts. */
  public String nodeTrustingAs(String name, String other) throws IOException {
    Path file = folder.resolve(name + ".tls");
    Files.writeString(
        file,
        "keyStore="
            + name
            + ".keys\nkeyStorePassword=secret\ntrustStore="
            + other
            + ".trust\ntrustStorePassword=secret\n");
    return file.toString();
  }

  /** Replaces what a node trusts, at once. */
  public void trust(String name, String... trusted) throws IOException {
    try {
      KeyStore fresh = emptyStore();
      for (String other : trusted) {
        try (InputStream certificate = Files.newInputStream(folder.resolve(other + ".crt"))) {
          fresh.setCertificateEntry(
              other, CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        }
      }
      write(fresh, name + ".trust.new");
    } catch (GeneralSecurityException e) {
      throw new IOException("what " + name + " trusts", e);
    }
    Files.move(
        folder.resolve(name + ".trust.new"),
        folder.resolve(name + ".trust"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a peer that is no node needs for TLS: that key, and those that it trusts. */
  public SSLContext context(String name) throws IOException, GeneralSecurityException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store(name + ".keys"), password());
    TrustManagerFactory others =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    others.init(store(name + ".trust"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), others.getTrustManagers(), null);
    return context;
  }

  private KeyStore store(String name) throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(folder.resolve(name).toFile(), password());
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private void write(KeyStore store, String name) throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      store.store(out, password());
    }
  }

  private static char[] password() {
    return PASSWORD.toCharArray();
  }

  /** Only keys are made by the tool: the JDK has no public class that signs certificates. */
  private void keytool(String store, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add("-J-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    command.addAll(arguments);
    command.addAll(List.of("-keystore", folder.resolve(store).toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("keytool: " + said);
    }
  }
}
