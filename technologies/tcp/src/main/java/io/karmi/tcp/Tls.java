package io.karmi.tcp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Properties;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS on every connection of a node, with certificates on both ends: what {@code karmi.tls} names.
 *
 * <p>It names a properties file (see docs/operations.md), or is {@code true} for the {@code
 * javax.net.ssl} system properties. A node whose setting is of no use neither listens nor connects:
 * {@link #check} says why. Immutable.
 */
final class Tls {
  private static final int HANDSHAKE = 0x16;

  /** Where in a record its length is. */
  private static final int LENGTH_AT = 3;

  /** A fatal alert, handshake_failure: what a TLS peer understands. */
  private static final byte[] NO_TLS_HERE = {0x15, 3, 3, 0, 2, 2, 40};

  private final String setting;

  /** Null if the setting cannot be used. */
  private final @Nullable SSLContext context;

  private final SSLParameters parameters;
  private final boolean hostChecked;
  private final @Nullable Exception problem;

  private Tls(String setting) {
    this.setting = setting;
    SSLContext made = null;
    SSLParameters chosen = new SSLParameters();
    boolean checked = false;
    Exception reason = null;
    try {
      Properties file = read(setting);
      Path folder = setting.equals("true") ? Path.of("") : Path.of(setting).toAbsolutePath();
      made = context(file, folder);
      chosen = made.getDefaultSSLParameters();
      chosen.setNeedClientAuth(true);
      chosen.setProtocols(list(file, "protocols", "TLSv1.3,TLSv1.2"));
      String suites = get(file, "cipherSuites");
      if (suites != null) {
        chosen.setCipherSuites(list(file, "cipherSuites", suites));
      }
      checked = Boolean.parseBoolean(get(file, "checkHost"));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      made = null;
      reason = e;
    }
    context = made;
    parameters = chosen;
    hostChecked = checked;
    problem = reason;
  }

  /** What a value of {@code karmi.tls} asks for; null for none. */
  static @Nullable Tls of(@Nullable String setting) {
    return setting == null || setting.isEmpty() || setting.equals("false")
        ? null
        : new Tls(setting);
  }

  private static Properties read(String setting) throws IOException {
    if (setting.equals("true")) {
      return System.getProperties();
    }
    Properties file = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(setting))) {
      file.load(in);
    }
    return file;
  }

  private static @Nullable String get(Properties file, String name) {
    return file.getProperty(name, file.getProperty("javax.net.ssl." + name));
  }

  private static String[] list(Properties file, String name, String byDefault) {
    String text = get(file, name);
    return (text == null ? byDefault : text).trim().split("\\s*,\\s*");
  }

  private static SSLContext context(Properties file, Path folder)
      throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    String keyPassword = get(file, "keyPassword");
    keys.init(
        store(file, folder, "keyStore"),
        keyPassword != null ? keyPassword.toCharArray() : password(file, "keyStore"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(file, folder, "trustStore"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static char[] password(Properties file, String store) {
    String password = get(file, store + "Password");
    return password == null ? new char[0] : password.toCharArray();
  }

  private static KeyStore store(Properties file, Path folder, String name)
      throws IOException, GeneralSecurityException {
    String path = get(file, name);
    if (path == null) {
      throw new IOException("it has no " + name + "; both keyStore and trustStore are needed");
    }
    String type = get(file, name + "Type");
    KeyStore store = KeyStore.getInstance(type == null ? KeyStore.getDefaultType() : type);
    try (InputStream in = Files.newInputStream(folder.resolveSibling(path))) {
      store.load(in, password(file, name));
    }
    return store;
  }

  /**
   * Does nothing if the setting can be used.
   *
   * @throws IOException that says why not
   */
  void check() throws IOException {
    usable();
  }

  private SSLContext usable() throws IOException {
    if (context == null) {
      throw new IOException("karmi.tls=" + setting + " cannot be used: " + problem, problem);
    }
    return context;
  }

  /** Whether somebody who connects speaks TLS. */
  static boolean isSpokenBy(byte[] first) {
    return first.length > 0 && first[0] == HANDSHAKE;
  }

  /** Tells somebody who speaks TLS that this node does not, after its first record. */
  static void decline(Socket connection, byte[] first) throws IOException {
    InputStream in = connection.getInputStream();
    if (first.length == LENGTH_AT + 1) {
      int length = (first[LENGTH_AT] & 0xFF) << 8 | Math.max(0, in.read());
      in.skipNBytes(length);
    }
    connection.getOutputStream().write(NO_TLS_HERE);
  }

  /** The accepting end, after some bytes have been read. */
  Socket accept(Socket plain, byte[] first) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            usable().getSocketFactory().createSocket(plain, new ByteArrayInputStream(first), true);
    SSLParameters own = copy();
    secure.setSSLParameters(own);
    secure.setUseClientMode(false);
    secure.setNeedClientAuth(true);
    secure.startHandshake();
    return secure;
  }

  /** The opening end. */
  Socket connect(Socket plain, Address address) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            usable().getSocketFactory().createSocket(plain, address.host, address.port, true);
    SSLParameters own = copy();
    if (hostChecked) {
      own.setEndpointIdentificationAlgorithm("HTTPS");
    }
    secure.setSSLParameters(own);
    secure.setUseClientMode(true);
    secure.startHandshake();
    return secure;
  }

  private SSLParameters copy() {
    SSLParameters own = new SSLParameters(parameters.getCipherSuites(), parameters.getProtocols());
    own.setNeedClientAuth(true);
    return own;
  }

  /** For messages. */
  @Override
  public String toString() {
    return "karmi.tls=" + setting;
  }
}
