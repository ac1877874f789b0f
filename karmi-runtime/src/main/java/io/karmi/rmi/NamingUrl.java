package io.karmi.rmi;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.rmi.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Parsed URL {@code [rmi:]//host:port/name}.
 *
 * @param host empty for the local host
 * @param name null if the URL means the registry itself
 */
record NamingUrl(String host, int port, @Nullable String name) {

  /**
   * Takes a URL apart.
   *
   * @throws MalformedURLException if it is none that {@code Naming} understands
   */
  static NamingUrl parse(String url) throws MalformedURLException {
    try {
      return of(url, new URI(url));
    } catch (URISyntaxException e) {
      NamingUrl portOnly = parsePortOnly(url);
      if (portOnly != null) {
        return portOnly;
      }
      MalformedURLException malformed = new MalformedURLException("invalid URL String: " + url);
      malformed.initCause(e);
      throw malformed;
    }
  }

  /**
   * {@code //:1099/name}, which is no URI, has been allowed since the first RMI: a host left out
   * before a port.
   */
  private static @Nullable NamingUrl parsePortOnly(String url) throws MalformedURLException {
    int colon = url.startsWith("//:") ? 2 : url.startsWith("rmi://:") ? 6 : -1;
    if (colon < 0) {
      return null;
    }
    String completed = url.substring(0, colon) + "localhost" + url.substring(colon);
    try {
      NamingUrl parsed = of(url, new URI(completed));
      return new NamingUrl("", parsed.port, parsed.name);
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static NamingUrl of(String url, URI uri)
      throws MalformedURLException, URISyntaxException {
    if (uri.isOpaque()) {
      throw new MalformedURLException("not a hierarchical URL: " + url);
    }
    refuse(uri.getFragment(), '#', "name", url);
    refuse(uri.getQuery(), '?', "name", url);
    refuse(uri.getUserInfo(), '@', "host", url);
    if (uri.getScheme() != null && !uri.getScheme().equals("rmi")) {
      throw new MalformedURLException("invalid URL scheme: " + url);
    }
    URI server = serverOf(uri, url);
    String host = uri.getHost() == null ? "" : uri.getHost();
    int port = server.getPort() == -1 ? Registry.REGISTRY_PORT : server.getPort();
    return new NamingUrl(host, port, nameIn(uri.getPath()));
  }

  private static void refuse(@Nullable String part, char sign, String where, String url)
      throws MalformedURLException {
    if (part != null) {
      throw new MalformedURLException(
          "invalid character, '" + sign + "', in URL " + where + ": " + url);
    }
  }

  private static @Nullable String nameIn(@Nullable String path) {
    if (path == null) {
      return null;
    }
    String name = path.startsWith("/") ? path.substring(1) : path;
    return name.isEmpty() ? null : name;
  }

  /** The URI with host and port; an authority that is neither names no host. */
  private static URI serverOf(URI uri, String url) throws MalformedURLException {
    String authority = uri.getAuthority();
    if (uri.getHost() != null || authority == null) {
      return uri;
    }
    try {
      return authority.startsWith(":")
          ? new URI(null, "localhost" + authority, null, null, null).parseServerAuthority()
          : uri.parseServerAuthority();
    } catch (URISyntaxException e) {
      throw new MalformedURLException("invalid authority: " + url);
    }
  }
}
