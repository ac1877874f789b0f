package io.karmi.tcp;

import io.karmi.settings.NearestName;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Keys, certificates and options of {@code karmi.tls}, and the state of its files when they were
 * read. Immutable.
 */
final class TlsMaterial {
  /** Value of {@code karmi.tls} that selects the system properties. */
  private static final String SYSTEM = "true";

  private static final String PREFIX = "javax.net.ssl.";

  private static final List<String> KEYS =
      List.of(
          "keyStore",
          "keyStorePassword",
          "keyStoreType",
          "keyPassword",
          "trustStore",
          "trustStorePassword",
          "trustStoreType",
          "protocols",
          "cipherSuites",
          "checkHost");

  /** Of a chain that was accepted before; the key exchange is over. */
  private static final String ANY_EXCHANGE = "UNKNOWN";

  final SSLContext context;
  final SSLParameters parameters;

  /** Whether the certificate of a callee must name the host that was dialled. */
  final boolean hostChecked;

  private final X509TrustManager trust;
  private final Map<Path, String> stamps;

  private TlsMaterial(
      SSLContext context,
      X509TrustManager trust,
      SSLParameters parameters,
      boolean hostChecked,
      Map<Path, String> stamps) {
    this.context = context;
    this.trust = trust;
    this.parameters = parameters;
    this.hostChecked = hostChecked;
    this.stamps = stamps;
  }

  /**
   * Reads all files.
   *
   * @throws IOException if one cannot be read
   * @throws GeneralSecurityException if their contents cannot be used
   */
  static TlsMaterial read(String setting) throws IOException, GeneralSecurityException {
    Map<Path, String> stamps = new LinkedHashMap<>();
    Properties file = properties(setting, stamps);
    Path folder = setting.equals(SYSTEM) ? Path.of("") : Path.of(setting).toAbsolutePath();
    KeyManager[] keys = keys(file, folder, stamps);
    X509TrustManager trust = trust(store(file, folder, "trustStore", stamps));
    SSLContext made = SSLContext.getInstance("TLS");
    made.init(keys, new TrustManager[] {trust}, null);
    SSLParameters chosen = made.getDefaultSSLParameters();
    chosen.setNeedClientAuth(true);
    SSLParameters possible = made.getSupportedSSLParameters();
    chosen.setProtocols(
        known("protocols", list(file, "protocols", "TLSv1.3,TLSv1.2"), possible.getProtocols()));
    String suites = get(file, "cipherSuites");
    if (suites != null) {
      chosen.setCipherSuites(
          known("cipherSuites", list(file, "cipherSuites", suites), possible.getCipherSuites()));
    }
    String check = get(file, "checkHost");
    if (check != null && !check.equals("true") && !check.equals("false")) {
      throw new IOException("checkHost=" + check + " is none of its values: true, false");
    }
    boolean checked = !"false".equals(check);
    return new TlsMaterial(made, trust, chosen, checked, stamps);
  }

  /**
   * Checks that the other end of a session that was resumed is still trusted: its certificates may
   * have expired or been revoked. The JDK asks in whole handshakes only, and a session may be
   * resumed for a day.
   *
   * @param sinceMillis when the handshake began at the earliest; a session that is older was
   *     resumed
   * @throws SSLHandshakeException if it is not
   */
  void checkResumed(SSLSession session, boolean ofServer, long sinceMillis) throws SSLException {
    if (session.getCreationTime() >= sinceMillis) {
      return;
    }
    X509Certificate[] chain =
        Stream.of(session.getPeerCertificates())
            .map(X509Certificate.class::cast)
            .toArray(X509Certificate[]::new);
    try {
      if (ofServer) {
        trust.checkServerTrusted(chain, ANY_EXCHANGE);
      } else {
        trust.checkClientTrusted(chain, ANY_EXCHANGE);
      }
    } catch (CertificateException e) {
      session.invalidate();
      SSLHandshakeException refused =
          new SSLHandshakeException(
              "it resumes a session whose certificate is not trusted any more: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  /** Whether a file has changed since it was read, or is gone for a moment. */
  boolean isOutdated() {
    return stamps.entrySet().stream()
        .anyMatch(file -> !file.getValue().equals(stamp(file.getKey())));
  }

  /** A stamp of a file that differs if it was written again or replaced. */
  private static String stamp(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return "unreadable";
    }
  }

  private static Properties properties(String setting, Map<Path, String> stamps)
      throws IOException {
    if (setting.equals(SYSTEM)) {
      return System.getProperties();
    }
    Path path = Path.of(setting);
    stamps.put(path, stamp(path));
    Properties file = new OneValueEach();
    try (Reader in = Files.newBufferedReader(path)) {
      file.load(in);
    }
    checkKeys(file);
    return file;
  }

  /** A misspelt key would leave its default in force, which may be laxer than what was meant. */
  private static void checkKeys(Properties file) throws IOException {
    for (String name : file.stringPropertyNames()) {
      String key = keyOf(name);
      if (!KEYS.contains(key)) {
        String nearest = NearestName.of(key, KEYS);
        throw new IOException(
            name
                + " is no key of this file"
                + (nearest == null ? "; there are " + KEYS : "; the nearest is " + nearest));
      }
    }
  }

  private static String keyOf(String name) {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
  }

  /** Keys of a file, each of which has one value: of two, the laxer one might be taken. */
  private static final class OneValueEach extends Properties {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized @Nullable Object put(Object name, Object value) {
      String key = keyOf((String) name);
      String before = TlsMaterial.get(this, key);
      if (before != null && !before.equals(value)) {
        boolean secret = key.endsWith("Password");
        throw new IllegalArgumentException(
            key
                + " has two values"
                + (secret ? "" : ", " + before + " and " + value)
                + "; leave one of them in the file");
      }
      return super.put(name, value);
    }
  }

  private static @Nullable String get(Properties file, String name) {
    return file.getProperty(name, file.getProperty(PREFIX + name));
  }

  private static String[] list(Properties file, String name, String byDefault) {
    String text = get(file, name);
    return (text == null ? byDefault : text).trim().split("\\s*,\\s*");
  }

  private static String[] known(String key, String[] chosen, String[] possible) throws IOException {
    for (String each : chosen) {
      if (!Arrays.asList(possible).contains(each)) {
        throw new IOException(
            key
                + "="
                + String.join(",", chosen)
                + ": this JDK has no "
                + each
                + ", but "
                + String.join(", ", possible));
      }
    }
    return chosen;
  }

  private static X509TrustManager trust(KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509TrustManager certificates) {
        return certificates;
      }
    }
    throw new KeyStoreException("no trust manager for certificates of X.509");
  }

  private static KeyManager[] keys(Properties file, Path folder, Map<Path, String> stamps)
      throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    String keyPassword = get(file, "keyPassword");
    keys.init(
        store(file, folder, "keyStore", stamps),
        keyPassword != null ? keyPassword.toCharArray() : password(file, "keyStore"));
    return keys.getKeyManagers();
  }

  private static char[] password(Properties file, String store) {
    String password = get(file, store + "Password");
    return password == null ? new char[0] : password.toCharArray();
  }

  private static KeyStore store(Properties file, Path folder, String name, Map<Path, String> stamps)
      throws IOException, GeneralSecurityException {
    String path = get(file, name);
    if (path == null) {
      throw new IOException("it has no " + name + "; both keyStore and trustStore are needed");
    }
    Path found = folder.resolveSibling(path);
    stamps.put(found, stamp(found));
    String type = get(file, name + "Type");
    KeyStore store = KeyStore.getInstance(type == null ? KeyStore.getDefaultType() : type);
    try (InputStream in = Files.newInputStream(found)) {
      store.load(in, password(file, name));
    }
    return store;
  }
}
