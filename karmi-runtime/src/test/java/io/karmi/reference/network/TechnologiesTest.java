package io.karmi.reference.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Addressable;
import io.karmi.technology.Technology;
import java.rmi.ConnectException;
import org.junit.Test;

/** Which technology is taken. */
public class TechnologiesTest {
  private static final class WithPorts extends NamedTechnology implements Addressable {
    WithPorts(String name, int rank) {
      super(name, rank);
    }

    @Override
    public int port(TechnologyId endpoint) {
      return 1;
    }

    @Override
    public TechnologyId locate(String host, int port) {
      return new TechnologyId(name(), host + ":" + port);
    }
  }

  private final Technologies technologies = new Technologies();
  private final Technology slow = new WithPorts("slow", 0);
  private final Technology fast = new NamedTechnology("fast", 10);
  private final Technology other = new NamedTechnology("other", 0);

  private static ObjectId at(String... namesAndAddresses) {
    TechnologyId[] ways = new TechnologyId[namesAndAddresses.length / 2];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = new TechnologyId(namesAndAddresses[2 * i], namesAndAddresses[2 * i + 1]);
    }
    return new ObjectId(NodeId.random(), 4711, ways);
  }

  private void addAll() {
    technologies.add(slow);
    technologies.add(other);
    technologies.add(fast);
  }

  @Test
  public void highestRankComesFirstAndEqualOnesInTheOrderOfTheirAddition() {
    addAll();
    assertThat(technologies).containsExactly(fast, slow, other);
    assertThat(technologies.list()).containsExactly(fast, slow, other);
  }

  @Test
  public void bestIsTheFirstThatReachesTheObject() {
    addAll();
    assertThat(technologies.best(at("slow", "a", "fast", "b"))).isSameAs(fast);
    assertThat(technologies.best(at("slow", "a", "fast", "nowhere"))).isSameAs(slow);
    assertThat(technologies.best(at("unknown", "a"))).isNull();
  }

  @Test
  public void nextBestIsBehindTheOneThatHasFailed() {
    addAll();
    ObjectId target = at("slow", "a", "fast", "b", "other", "c");
    assertThat(technologies.nextBest(fast, target)).isSameAs(slow);
    assertThat(technologies.nextBest(slow, target)).isSameAs(other);
    assertThat(technologies.nextBest(other, target)).isNull();
  }

  @Test
  public void objectThatNoneReachesIsNamedWithWhatTheNodeHas() {
    addAll();
    ObjectId target = at("unknown", "a");
    assertThatThrownBy(() -> technologies.require(target))
        .isInstanceOf(ConnectException.class)
        .hasMessage(
            "no common technology for object "
                + target
                + ": this node has [fast, slow, other]; add one, or a bridge");
  }

  @Test
  public void hostAndPortAreLookedForByThoseThatKnowSuch() {
    addAll();
    assertThat(technologies.locate("here", 7)).containsExactly(new TechnologyId("slow", "here:7"));
  }
}
