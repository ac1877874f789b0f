package io.karmi.interceptor;

import io.karmi.id.NodeId;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node from which a call, or a message, has come. Immutable; may be kept when the call is over.
 *
 * <p>Two are equal only if they are the same node: the {@linkplain #node id} alone can be claimed
 * by every peer that has a reference of that node, and so the connection must have shown the same
 * secret token, and over TLS the same certificate. A node shows a different token at each address
 * that it dials, so one node may be two callers; two nodes are never one.
 */
public final class Caller {
  private final NodeId node;
  private final Object identity;
  private final String host;
  private final String technology;
  private final @Nullable X509Certificate certificate;

  /**
   * Made by the runtime.
   *
   * @param identity equal for two calls only if they come from the same node
   */
  public Caller(
      NodeId node,
      Object identity,
      String host,
      String technology,
      @Nullable X509Certificate certificate) {
    this.node = node;
    this.identity = identity;
    this.host = host;
    this.technology = technology;
    this.certificate = certificate;
  }

  /**
   * The id that the caller has introduced itself with, as text: see {@link #equals} for what it
   * proves.
   */
  public String node() {
    return node.toString();
  }

  /** The address of its host, as {@code RemoteServer.getClientHost} shows it. */
  public String host() {
    return host;
  }

  /** The network of the call, such as {@code tcp}; {@code local} within this JVM. */
  public String technology() {
    return technology;
  }

  /** The certificate that it has proven to have, with {@code karmi.tls}; empty otherwise. */
  public Optional<X509Certificate> certificate() {
    return Optional.ofNullable(certificate);
  }

  /** The subject of its certificate; empty without one. */
  public Optional<Principal> principal() {
    return Optional.ofNullable(certificate).map(X509Certificate::getSubjectX500Principal);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Caller && ((Caller) other).identity.equals(identity);
  }

  @Override
  public int hashCode() {
    return identity.hashCode();
  }

  @Override
  public String toString() {
    String name = principal().map(Principal::getName).orElse("node " + node);
    return name + " at " + host + " (" + technology + ")";
  }
}
