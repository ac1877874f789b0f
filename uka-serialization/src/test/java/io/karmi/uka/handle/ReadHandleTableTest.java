package io.karmi.uka.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class ReadHandleTableTest {
  @Test
  public void objectsThatComeTogetherHaveTheHandlesOfThoseThatComeOneByOne() {
    ReadHandleTable handles = new ReadHandleTable(() -> {});
    for (int count : new int[] {0, 1, 7, 8, 40, 3, 1000}) {
      Object[] objects = new Object[count + 2];
      for (int i = 0; i < objects.length; i++) {
        objects[i] = new Object();
      }
      int open = handles.assign(objects[0]);
      handles.assignAllSettled(objects, 1, count + 1);
      int last = handles.assignSettled(objects[count + 1]);
      assertThat(last - open).isEqualTo(count + 1);
      for (int i = 0; i < objects.length; i++) {
        assertThat(handles.get(open + i)).isSameAs(objects[i]);
        assertThat(handles.isSettled(open + i)).isEqualTo(i > 0);
      }
    }
  }

  @Test
  public void onlyWhatIsCompleteAndMayBeReferredToIsTakenAtAGlance() {
    ReadHandleTable handles = new ReadHandleTable(() -> {});
    Object complete = new Object();
    int settled = handles.assignSettled(complete);
    int open = handles.assign(new Object());
    int unshared = handles.assignSettled(ReadHandleTable.UNSHARED);
    int marked = handles.assign(new Object());
    handles.mark(marked, new ClassNotFoundException("missing"));
    assertThat(handles.settled(settled)).isSameAs(complete);
    for (int handle : new int[] {open, unshared, marked, marked + 1, -1}) {
      assertThat(handles.settled(handle)).as("handle " + handle).isNull();
    }
    handles.finish(open);
    assertThat(handles.settled(open)).isNotNull();
    handles.clear();
    assertThat(handles.settled(settled)).isNull();
  }

  /** What the table promises, found by looking at all handles each time. */
  private static final class Model {
    final List<Character> states = new ArrayList<>();
    final List<List<Integer>> dependents = new ArrayList<>();
    int lowestOpenTarget = ReadHandleTable.NONE;

    void assign() {
      states.add('o');
      dependents.add(new ArrayList<>());
    }

    void depend(int handle, int target) {
      if (states.get(handle) != 'o' || states.get(target) == 's' || handle == target) {
        return;
      }
      if (states.get(target) == 'm') {
        mark(handle);
        return;
      }
      dependents.get(target).add(handle);
      lowestOpenTarget = lowestOpenTarget < 0 ? target : Math.min(lowestOpenTarget, target);
    }

    void mark(int handle) {
      if (states.get(handle) == 'o') {
        states.set(handle, 'm');
        dependents.get(handle).forEach(this::mark);
      }
    }

    void finish(int handle) {
      int end = handle + 1;
      if (lowestOpenTarget >= handle) {
        end = states.size();
        lowestOpenTarget = ReadHandleTable.NONE;
      } else if (lowestOpenTarget != ReadHandleTable.NONE) {
        return;
      }
      for (int i = handle; i < end; i++) {
        if (states.get(i) == 'o') {
          states.set(i, 's');
        }
      }
    }
  }

  private final ReadHandleTable table = new ReadHandleTable(() -> {});
  private Model model;

  @Test
  public void randomGraphsSettleAndAreMarkedAsIfAllHandlesWereLookedAtEachTime() {
    for (int seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      table.clear();
      model = new Model();
      try {
        for (int roots = random.nextInt(4); roots >= 0; roots--) {
          readAtRandom(random, 0, random.nextInt(10) + 1, random.nextInt(30) == 0 ? 1 : 0);
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** What reading an object does, with children below it and references back. */
  private int readAtRandom(Random random, int depth, int most, int missing) {
    int handle = table.assign(new Object());
    model.assign();
    int children = depth > 8 ? 0 : random.nextInt(4);
    for (int i = 0; i < children && model.states.size() < 60; i++) {
      int child = readAtRandom(random, depth + 1, most, missing);
      table.depend(handle, child);
      model.depend(handle, child);
      if (random.nextInt(most) == 0) {
        int target = random.nextInt(handle + 1);
        table.depend(handle, target);
        model.depend(handle, target);
      }
      compare();
    }
    if (random.nextInt(40) < missing + 1) {
      table.mark(handle, new ClassNotFoundException("missing"));
      model.mark(handle);
    }
    if (random.nextInt(20) > 0) {
      table.finish(handle);
      model.finish(handle);
    }
    compare();
    return handle;
  }

  private void compare() {
    for (int i = 0; i < model.states.size(); i++) {
      char state = table.failure(i) != null ? 'm' : table.isSettled(i) ? 's' : 'o';
      assertThat(state).as("state of handle " + i).isEqualTo(model.states.get(i));
    }
  }

  @Test
  public void growthIsToldEveryFewHundredObjects() {
    int[] told = {0};
    ReadHandleTable handles = new ReadHandleTable(() -> told[0]++);
    for (int i = 0; i < 256; i++) {
      handles.assignSettled("object");
    }
    assertThat(told[0]).as("of a small message").isZero();
    for (int i = 0; i < 100 * 256; i++) {
      handles.assignSettled("object");
    }
    assertThat(told[0]).isBetween(99, 101);
    handles.clear();
    handles.assignAllSettled(new Object[10_000], 0, 10_000);
    handles.assignAllSettled(new Object[10_000], 0, 10_000);
    assertThat(handles.size()).isEqualTo(20_000);
    assertThat(told[0]).as("it would be refused").isBetween(100, 102);
  }
}
