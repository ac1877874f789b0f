package io.karmi.exchange.zookeeper;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DirectoryProvider;
import io.karmi.messaging.Address;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Directories in ZooKeeper, by URLs {@code zookeeper://host:port,host:port/path}: the servers, and
 * the node below which the space has its nodes.
 */
public final class ZooKeeperDirectories implements DirectoryProvider {
  private static final String SCHEME = "zookeeper:";
  private static final Pattern URL = Pattern.compile("zookeeper://([^/@]+)((?:/[\\w.-]+)+)");

  /** For the service loader. */
  public ZooKeeperDirectories() {}

  @Override
  public boolean accepts(String url) {
    return url.startsWith(SCHEME);
  }

  @Override
  public Directory join(String url, Address messaging) throws IOException {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "not zookeeper://host:port,host:port/path, with a path of letters, digits, '_', '-' and"
              + " '.': "
              + url);
    }
    try {
      return ZooKeeperDirectory.join(url, parts.group(1), parts.group(2), messaging);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "the directory "
              + url
              + " needs Apache Curator 5 on the class path (org.apache.curator:curator-framework and"
              + " what it needs), which has no "
              + e.getMessage(),
          e);
    }
  }
}
