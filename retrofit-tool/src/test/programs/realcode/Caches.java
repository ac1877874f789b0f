package realcode;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.ehcache.Cache;
import org.ehcache.PersistentCacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;

final class Caches {
  private Caches() {}

  static Object ehcache(Path directory) {
    Path disk = directory.resolve("ehcache");
    try (PersistentCacheManager manager = manager(disk)) {
      Cache<String, Order> cache = manager.getCache("orders", String.class, Order.class);
      for (int i = 0; i < 100; i++) {
        cache.put("order" + i, i == 7 ? Order.sample() : new Order("n" + i, i, null));
      }
    }
    try (PersistentCacheManager manager = manager(disk)) {
      Cache<String, Order> cache = manager.getCache("orders", String.class, Order.class);
      int found = 0;
      for (int i = 0; i < 100; i++) {
        found += cache.get("order" + i).isWhole() ? 1 : 0;
      }
      return found + " " + cache.get("order7") + " " + cache.get("none");
    }
  }

  private static PersistentCacheManager manager(Path disk) {
    return CacheManagerBuilder.newCacheManagerBuilder()
        .with(CacheManagerBuilder.persistence(disk.toFile()))
        .withCache(
            "orders",
            CacheConfigurationBuilder.newCacheConfigurationBuilder(
                String.class,
                Order.class,
                ResourcePoolsBuilder.newResourcePoolsBuilder()
                    .heap(5, org.ehcache.config.units.EntryUnit.ENTRIES)
                    .disk(5, MemoryUnit.MB, true)))
        .build(true);
  }

  static Object h2(Path directory) throws Exception {
    String url = "jdbc:h2:" + directory.resolve("h2").toAbsolutePath();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create table orders (id int primary key, it java_object)");
      try (PreparedStatement insert =
          connection.prepareStatement("insert into orders values (?, ?)")) {
        insert.setInt(1, 1);
        insert.setObject(2, Order.sample(), java.sql.Types.JAVA_OBJECT);
        insert.executeUpdate();
      }
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select it from orders")) {
      rows.next();
      Order order = (Order) rows.getObject(1);
      return order + " " + order.isWhole();
    }
  }
}
