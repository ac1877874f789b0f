package io.karmi.exchange.zookeeper;

import io.karmi.exchange.directory.Attempts;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Sessions at ZooKeeper, kept by Curator with its own settings for their length. */
final class Sessions {
  /** Curator's own questions, of which there are few: ours are asked again by who asks them. */
  private static final RetryPolicy ONCE_MORE = new RetryOneTime(100);

  private Sessions() {}

  /**
   * Begins a session.
   *
   * @throws IOException if no server is reached within {@code karmi.keepAlive}
   */
  static Store start(String url, String servers) throws IOException {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder().connectString(servers).retryPolicy(ONCE_MORE);
    List<ACL> access = ZooDefs.Ids.OPEN_ACL_UNSAFE;
    String file = Settings.EXCHANGE_LOGIN.get();
    if (file != null) {
      String login = Files.readString(Path.of(file)).strip();
      if (!login.contains(":")) {
        throw new IOException(file + " (karmi.exchange.login) has no user:password");
      }
      builder.authorization("digest", login.getBytes(StandardCharsets.UTF_8));
      access = ZooDefs.Ids.CREATOR_ALL_ACL;
    }
    CuratorFramework client = builder.build();
    long limit = Attempts.limitMillis();
    client.start();
    try {
      if (client.blockUntilConnected((int) limit, TimeUnit.MILLISECONDS)) {
        return new Store(client, access);
      }
    } catch (InterruptedException e) {
      client.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while ZooKeeper is waited for");
    }
    client.close();
    throw new IOException(
        "the directory " + url + " was not reached within " + limit + " ms (karmi.keepAlive)");
  }
}
