package members;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import net.sf.ehcache.Cache;
import net.sf.ehcache.CacheManager;
import net.sf.ehcache.Element;
import net.sf.ehcache.config.CacheConfiguration;
import net.sf.ehcache.config.CacheConfiguration.BootstrapCacheLoaderFactoryConfiguration;
import net.sf.ehcache.config.CacheConfiguration.CacheEventListenerFactoryConfiguration;
import net.sf.ehcache.config.Configuration;
import net.sf.ehcache.config.FactoryConfiguration;
import net.sf.ehcache.distribution.RMIBootstrapCacheLoaderFactory;
import net.sf.ehcache.distribution.RMICacheManagerPeerListenerFactory;
import net.sf.ehcache.distribution.RMICacheManagerPeerProviderFactory;
import net.sf.ehcache.distribution.RMICacheReplicatorFactory;
import net.sf.ehcache.util.MemoryEfficientByteArrayOutputStream;

/** A cache that calls its copy on the other member by RMI, with socket factories of its own. */
final class EhcacheMember implements Member {
  private static final String KEY = "key";
  private static final String CACHE = "values";

  private final Cache cache;

  EhcacheMember(int own, int other) throws IOException {
    System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    System.setProperty("net.sf.ehcache.skipUpdateCheck", "true");
    RMISocketFactory.setSocketFactory(new Loopback());
    Configuration configuration = new Configuration().name("member");
    configuration.addCacheManagerPeerProviderFactory(
        new FactoryConfiguration<FactoryConfiguration<?>>()
            .className(RMICacheManagerPeerProviderFactory.class.getName())
            .properties("peerDiscovery=manual,rmiUrls=//127.0.0.1:" + other + "/" + CACHE));
    configuration.addCacheManagerPeerListenerFactory(
        new FactoryConfiguration<FactoryConfiguration<?>>()
            .className(RMICacheManagerPeerListenerFactory.class.getName())
            .properties("hostName=127.0.0.1,port=" + own + ",socketTimeoutMillis=60000"));
    configuration.addCache(cache());
    cache = new CacheManager(configuration).getCache(CACHE);
  }

  private static CacheConfiguration cache() {
    CacheConfiguration cache = new CacheConfiguration(CACHE, 100).eternal(true);
    cache.addCacheEventListenerFactory(
        new CacheEventListenerFactoryConfiguration()
            .className(RMICacheReplicatorFactory.class.getName())
            .properties("replicateAsynchronously=false"));
    cache.addBootstrapCacheLoaderFactory(
        new BootstrapCacheLoaderFactoryConfiguration()
            .className(RMIBootstrapCacheLoaderFactory.class.getName())
            .properties("bootstrapAsynchronously=false"));
    return cache;
  }

  private int peers() {
    return cache
        .getCacheManager()
        .getCacheManagerPeerProvider("RMI")
        .listRemoteCachePeers(cache)
        .size();
  }

  @Override
  public String put(Value value) {
    cache.put(new Element(KEY, value));
    return KEY;
  }

  @Override
  public boolean isWhole() {
    return peers() == 1;
  }

  @Override
  public boolean isAlone() {
    return peers() == 0;
  }

  @Override
  public Object get(String key) {
    Element element = cache.get(key);
    return element == null ? null : element.getObjectValue();
  }

  @Override
  public void process(String key) {
    cache.put(new Element(key, ((Value) get(key)).next()));
  }

  @Override
  public byte[] serialized(Value value) throws IOException {
    return MemoryEfficientByteArrayOutputStream.serialize(new Element(KEY, value)).getBytes();
  }

  /** Sockets that nothing outside of this machine reaches. */
  private static final class Loopback extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
    }
  }
}
