package io.karmi.uka.handle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class ReadHandleTableTest {
  @Test
  public void objectsThatComeTogetherHaveTheHandlesOfThoseThatComeOneByOne() {
    ReadHandleTable handles = new ReadHandleTable();
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
    ReadHandleTable handles = new ReadHandleTable();
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
}
