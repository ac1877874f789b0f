package io.karmi.exchange.zookeeper;

import io.karmi.exchange.directory.Attempts;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;

/** Makes the nodes that a space always has. */
final class SpaceNodes {
  /** Seconds of the clock at which generations are counted from: 2025 began. */
  private static final long FIRST_SECOND = 1_735_689_600L;

  private SpaceNodes() {}

  /** What the node of a space says; the first member to ask makes it, with all others. */
  static Nodes.Space makeOrRead(Store store, Nodes nodes) throws IOException, KeeperException {
    long millis = Attempts.limitMillis();
    Store.Data data = Store.await(store.data(nodes.space()), millis);
    if (data == null) {
      make(store, nodes, millis);
      data = Store.await(store.data(nodes.space()), millis);
    }
    if (data == null) {
      throw new IOException("the node " + nodes.space() + " was removed at once");
    }
    return Nodes.Space.of(nodes.space(), data.bytes());
  }

  private static void make(Store store, Nodes nodes, long millis)
      throws IOException, KeeperException {
    StringBuilder path = new StringBuilder();
    for (String each : nodes.root.substring(1).split("/")) {
      path.append('/').append(each);
      Store.await(store.commit(store.create(path.toString())), millis);
    }
    SecureRandom random = new SecureRandom();
    int generation = (int) (System.currentTimeMillis() / 1000 - FIRST_SECOND);
    Nodes.Space space = new Nodes.Space(random.nextLong(), random.nextLong(), generation);
    List<Op> all = new ArrayList<>();
    for (String each : List.of(nodes.members(), nodes.groups(), nodes.keys(), nodes.free())) {
      all.add(store.create(each));
    }
    for (int i = 0; i < Nodes.SHARDS; i++) {
      all.add(store.create(Nodes.shard(nodes.groups(), i)));
      all.add(store.create(Nodes.shard(nodes.keys(), i)));
    }
    all.add(store.create(nodes.space(), space.bytes()));
    Store.await(store.commit(all), millis); // or another member has made them
  }

  /** Makes the nodes by which a host is told which files to remove. */
  static void makeHost(Store store, Nodes nodes, long host) throws IOException, KeeperException {
    long millis = Attempts.limitMillis();
    Store.await(store.commit(store.create(nodes.free(host))), millis);
    for (int i = 0; i < Nodes.FREE_SHARDS; i++) {
      Store.await(store.commit(store.create(nodes.free(host, i))), millis);
    } // each of which another member may have made
  }

  /**
   * Removes nodes of members that were made by the same session: the answer of an earlier attempt
   * has been lost.
   */
  static void removeOthers(Store store, Nodes nodes, String made, long millis)
      throws IOException, KeeperException {
    Store.Data own = Store.await(store.data(made), millis);
    List<String> names = Store.await(store.children(nodes.members(), null), millis);
    if (own == null || names == null) {
      throw new MembershipLostException(made);
    }
    Store.all(
        names,
        name -> {
          String path = nodes.member(name);
          return store
              .data(path)
              .thenAccept(
                  data -> {
                    boolean same =
                        data != null
                            && !path.equals(made)
                            && data.stat().getEphemeralOwner() == own.stat().getEphemeralOwner();
                    if (same) {
                      store.commit(Store.delete(path));
                    }
                  });
        },
        millis);
  }
}
