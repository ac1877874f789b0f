package members;

import java.nio.file.Files;
import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.distribution.DistributionManager;
import org.infinispan.manager.DefaultCacheManager;

/** A replicated cache whose values are Java-serialized; its keys are kept as objects. */
final class InfinispanMember implements Member {
  private static final String KEY = "key";

  private static final String STACK =
      """
      <config xmlns="urn:org:jgroups">
        <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false"/>
        <TCPPING initial_hosts="127.0.0.1[%d],127.0.0.1[%d]" port_range="0"/>
        <MERGE3 min_interval="1000" max_interval="3000"/>
        <FD_SOCK2 offset="0"/>
        <VERIFY_SUSPECT2 timeout="100"/>
        <pbcast.NAKACK2 use_mcast_xmit="false"/>
        <UNICAST3/>
        <pbcast.STABLE/>
        <pbcast.GMS print_local_addr="false" join_timeout="1000"/>
        <UFC/>
        <MFC/>
        <FRAG4/>
      </config>
      """;

  private final Cache<String, Value> cache;
  private final JavaSerializationMarshaller marshaller = new JavaSerializationMarshaller();

  @SuppressWarnings("resource") // ends with the JVM
  InfinispanMember(int own, int other) throws Exception {
    Path stack = Files.createTempFile("jgroups", ".xml");
    Files.writeString(stack, STACK.formatted(own, own, other));
    GlobalConfigurationBuilder global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.transport().addProperty("configurationFile", stack.toString());
    global.serialization().marshaller(marshaller);
    global.serialization().allowList().addRegexps(".*");
    global.jmx().disable();
    DefaultCacheManager manager = new DefaultCacheManager(global.build());
    ConfigurationBuilder values = new ConfigurationBuilder();
    values.clustering().cacheMode(CacheMode.REPL_SYNC);
    values.encoding().key().mediaType("application/x-java-object");
    values.encoding().value().mediaType("application/x-java-serialized-object");
    manager.defineConfiguration("values", values.build());
    cache = manager.getCache("values");
    Files.delete(stack);
  }

  @Override
  public String put(Value value) {
    cache.put(KEY, value);
    return KEY;
  }

  @Override
  public boolean isWhole() {
    DistributionManager distribution = cache.getAdvancedCache().getDistributionManager();
    return cache.getCacheManager().getMembers().size() == 2
        && distribution.getCacheTopology().getWriteOwners(KEY).size() == 2
        && !distribution.isRehashInProgress();
  }

  @Override
  public boolean isAlone() {
    return cache.getCacheManager().getMembers().size() == 1
        && !cache.getAdvancedCache().getDistributionManager().isRehashInProgress();
  }

  @Override
  public Object get(String key) {
    return cache.get(key);
  }

  @Override
  public void process(String key) {
    cache.put(key, cache.get(key).next());
  }

  @Override
  public byte[] serialized(Value value) throws Exception {
    return marshaller.objectToByteBuffer(value);
  }
}
