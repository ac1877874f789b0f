package members;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import java.util.Map;

/** A map whose values and entry processors are Java-serialized. */
final class HazelcastMember implements Member {
  private static final String KEY = "key";

  private final IMap<String, Value> map;
  private final HazelcastInstance hazelcast;

  HazelcastMember(int own, int other) {
    Config config = new Config();
    config.setClusterName("test" + Math.min(own, other));
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.partition.count", "31");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.getJetConfig().setEnabled(false);
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(own).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + own)
        .addMember("127.0.0.1:" + other);
    hazelcast = Hazelcast.newHazelcastInstance(config);
    map = hazelcast.getMap("values");
  }

  @Override
  public String put(Value value) {
    map.put(KEY, value);
    return KEY;
  }

  @Override
  public boolean isWhole() {
    return hazelcast.getCluster().getMembers().size() == 2
        && hazelcast.getPartitionService().isClusterSafe();
  }

  @Override
  public boolean isAlone() {
    return hazelcast.getCluster().getMembers().size() == 1;
  }

  @Override
  public Object get(String key) {
    return map.get(key);
  }

  @Override
  public void process(String key) {
    map.executeOnKey(key, new Next());
  }

  @Override
  public byte[] serialized(Value value) {
    return ((HazelcastInstanceProxy) hazelcast)
        .getOriginal()
        .getSerializationService()
        .toData(value)
        .toByteArray();
  }

  /** Crosses to the member that has the entry, and to the one that has its copy. */
  private static final class Next implements EntryProcessor<String, Value, Object> {
    private static final long serialVersionUID = 1;

    @Override
    public Object process(Map.Entry<String, Value> entry) {
      entry.setValue(entry.getValue().next());
      return null;
    }
  }
}
