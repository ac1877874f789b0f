package io.karmi.tcp;

import io.karmi.connection.channel.HostAddress;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS on every connection of a node, with certificates on both ends, as configured by {@code
 * karmi.tls}.
 *
 * <p>It names a properties file (see docs/security.md), or is {@code true} for the {@code
 * javax.net.ssl} system properties. A node with an unusable setting neither listens nor connects:
 * {@link #check} says why. Files that have changed are read again before the next connection is
 * opened or accepted. If one cannot be read then, this is reported, and the last readable ones stay
 * in use. Open connections stay as they are. Thread-safe.
 */
final class Tls {
  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;

  /** Offset of the length in a record. */
  private static final int LENGTH_AT = 3;

  /** A fatal alert, handshake_failure, which a TLS peer understands. */
  private static final byte[] NO_TLS_HERE = {ALERT, 3, 3, 0, 2, 2, 40};

  /** A fatal alert, internal_error, which means that the reason is none of the peer's. */
  private static final byte[] NO_PLACE = {ALERT, 3, 3, 0, 2, 2, 80};

  /** Least time between two checks of the files, in nanoseconds. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long a handshake of stock RMI waits, as others of its host prove nothing. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Of handshakes that others begin. */
  private static final AlgorithmConstraints NO_FINITE_FIELDS = new NoFiniteFields();

  private final String setting;

  /** Null as long as the setting cannot be used. */
  private @Nullable TlsMaterial material;

  private @Nullable Exception problem;
  private long lookedAtNanos;

  private Tls(String setting) {
    this.setting = setting;
    lookedAtNanos = System.nanoTime();
    readAgain();
  }

  /** The TLS of a value of {@code karmi.tls}; null for none. */
  static @Nullable Tls of(@Nullable String setting) {
    return setting != null && Settings.isTlsOn(setting) ? new Tls(setting) : null;
  }

  /**
   * Checks that the setting can be used.
   *
   * @throws IOException that says why not
   */
  void check() throws IOException {
    usable();
  }

  private synchronized TlsMaterial usable() throws IOException {
    long now = System.nanoTime();
    if (now - lookedAtNanos > LOOK_NANOS) {
      lookedAtNanos = now;
      if (material == null || material.isOutdated()) {
        readAgain();
      }
    }
    if (material == null) {
      throw new IOException(this + " cannot be used: " + problem, problem);
    }
    return material;
  }

  /** Reads changed files again; files that are being written are read the next time. */
  private synchronized void readAgain() {
    try {
      material = TlsMaterial.read(setting);
      problem = null;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      problem = e;
      if (material != null) {
        Tcp.LOG.log(
            System.Logger.Level.WARNING,
            this + ": the files have changed and cannot be used; what they held before is in use",
            e);
      }
    }
  }

  /** Whether a peer that connects speaks TLS. */
  static boolean isSpokenBy(byte[] first) {
    return first.length > 0 && first[0] == HANDSHAKE;
  }

  /** Whether the answer of a peer to other bytes says that it expects TLS. */
  static boolean isExpectedBy(byte[] first) {
    return first.length > 0 && first[0] == ALERT;
  }

  /** Tells a peer that is to speak TLS, and has said nothing so far, that there is no place. */
  static void refuse(Socket connection) throws IOException {
    connection.getOutputStream().write(NO_PLACE);
  }

  /** Whether this says that the other end has {@linkplain #refuse no place}: by the text alone. */
  static boolean isRefusal(IOException e) {
    return e instanceof SSLException && String.valueOf(e.getMessage()).contains("internal_error");
  }

  /** Tells a peer that speaks TLS that this node does not, after its first record. */
  static void decline(Socket connection, byte[] first) throws IOException {
    InputStream in = connection.getInputStream();
    if (first.length == LENGTH_AT + 1) {
      int length = (first[LENGTH_AT] & 0xFF) << 8 | Math.max(0, in.read());
      in.skipNBytes(length);
    }
    connection.getOutputStream().write(NO_TLS_HERE);
  }

  /** The accepting end behind its handshake, and what is below it. */
  record Accepted(SSLSocket socket, TlsInput below) {}

  /**
   * The accepting end, after some bytes have been read. Waits while its host has too many
   * handshakes that prove nothing.
   */
  Accepted accept(Socket plain, byte[] first) throws IOException {
    TlsInput in = new TlsInput(plain, first, Long.MAX_VALUE);
    TlsMaterial now = usable();
    SSLSocket secure = accepting(now, plain, in);
    secure.startHandshake();
    in.over(secure.getSession(), now);
    return new Accepted(secure, in);
  }

  /**
   * The accepting end, whose handshake takes place when it is first read. That waits as {@link
   * #accept} does, but not for long: nobody bounds the threads that read.
   */
  SSLSocket acceptLater(Socket plain) throws IOException {
    TlsInput in = new TlsInput(plain, new byte[0], LONGEST_WAIT_NANOS);
    TlsMaterial now = usable();
    SSLSocket secure = accepting(now, plain, in);
    in.watch(secure, now);
    return secure;
  }

  private static SSLSocket accepting(TlsMaterial now, Socket plain, InputStream first)
      throws IOException {
    SSLSocketFactory factory = now.context.getSocketFactory();
    SSLSocket secure = (SSLSocket) factory.createSocket(plain, first, true);
    SSLParameters own = copy(now);
    own.setAlgorithmConstraints(NO_FINITE_FIELDS);
    secure.setSSLParameters(own);
    secure.setUseClientMode(false);
    secure.setNeedClientAuth(true);
    return secure;
  }

  /** The opening end. */
  SSLSocket connect(Socket plain, HostAddress address) throws IOException {
    TlsMaterial now = usable();
    SSLSocketFactory factory = now.context.getSocketFactory();
    SSLSocket secure =
        (SSLSocket) factory.createSocket(plain, address.host(), address.port(), true);
    SSLParameters own = copy(now);
    if (now.hostChecked) {
      own.setEndpointIdentificationAlgorithm("HTTPS");
    }
    secure.setSSLParameters(own);
    secure.setUseClientMode(true);
    long sinceMillis = System.currentTimeMillis();
    try {
      secure.startHandshake();
      now.checkResumed(secure.getSession(), true, sinceMillis);
    } catch (SSLHandshakeException e) {
      throw now.hostChecked && isOfHost(e) ? notOfHost(address, e) : e;
    }
    return secure;
  }

  /**
   * Whether the certificate is good, and only the host is another: the JDK tells this by the text
   * alone.
   */
  private static boolean isOfHost(SSLHandshakeException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("subject alternative") || text.contains("No name matching");
  }

  private SSLHandshakeException notOfHost(HostAddress address, SSLHandshakeException e) {
    SSLHandshakeException problem =
        new SSLHandshakeException(
            "the certificate of "
                + address
                + " does not name that host ("
                + e.getMessage()
                + "); add the host to the certificate's subject alternative names, let the callee"
                + " name itself otherwise (java.rmi.server.hostname), or set checkHost=false"
                + ": then each certificate that the trustStore accepts is good for any host");
    problem.initCause(e);
    return problem;
  }

  private static SSLParameters copy(TlsMaterial material) {
    SSLParameters chosen = material.parameters;
    SSLParameters own = new SSLParameters(chosen.getCipherSuites(), chosen.getProtocols());
    own.setNeedClientAuth(true);
    return own;
  }

  /** For messages. */
  @Override
  public String toString() {
    return "karmi.tls=" + setting;
  }

  /**
   * Keys are agreed on by elliptic curves. Over finite fields, whose size a stranger chooses, that
   * takes this end up to half a second of a processor.
   */
  private static final class NoFiniteFields implements AlgorithmConstraints {
    @Override
    public boolean permits(
        Set<CryptoPrimitive> primitives,
        String algorithm,
        @Nullable AlgorithmParameters parameters) {
      return !primitives.contains(CryptoPrimitive.KEY_AGREEMENT)
          || !(algorithm.startsWith("ffdhe")
              || algorithm.startsWith("DHE_")
              || algorithm.equals("DiffieHellman"));
    }

    @Override
    public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
      return true;
    }

    @Override
    public boolean permits(
        Set<CryptoPrimitive> primitives,
        String algorithm,
        Key key,
        @Nullable AlgorithmParameters parameters) {
      return permits(primitives, algorithm, parameters);
    }
  }
}
