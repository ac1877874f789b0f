package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Objects whose fields several classes of their hierarchy declare. */
@RunWith(SameProgram.class)
public class HierarchiesTest {
  /** Enough objects that the last ones are read by generated code. */
  private static final int MANY = 40;

  static class Top implements Serializable {
    int number;
    double ratio;
  }

  static class Named extends Top {
    String name;
    Object any;
  }

  static class Empty extends Named {}

  static class Bottom extends Empty {
    long when;
    Bottom next;
    Witness witness;
  }

  static class Numbers extends Top {
    short few;
  }

  static class Labelled extends Numbers {
    String label;
    Witness witness;
  }

  /** Looks at the object that it belongs to while that is read. */
  static class Witness implements Serializable {
    static Top lastOwner;

    Top owner;
    String seen = "nothing";

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      lastOwner = owner;
      seen = owner == null ? "no owner" : HierarchiesTest.describe(owner);
      see("owner", seen);
    }
  }

  static class Lowest extends Bottom {
    Integer box;
    String text;
  }

  private static String describe(Top top) {
    String all = top.getClass().getSimpleName() + " " + top.number + " " + top.ratio;
    if (top instanceof Named named) {
      all += " " + named.name + " " + (named.any == null ? "null" : named.any.getClass());
    }
    if (top instanceof Bottom bottom) {
      all += " " + bottom.when + " " + (bottom.next == bottom) + " " + (bottom.witness == null);
    }
    if (top instanceof Lowest lowest) {
      all += " " + lowest.box + " " + lowest.text;
    }
    if (top instanceof Labelled labelled) {
      all += " " + labelled.few + " " + labelled.label + " " + (labelled.witness == null);
    }
    return all;
  }

  private static Bottom bottom(int i) {
    Bottom bottom = new Bottom();
    bottom.number = i;
    bottom.ratio = i / 2d;
    bottom.name = "name " + i;
    bottom.any = i % 3 == 0 ? bottom : List.of(i);
    bottom.when = 1L << i;
    bottom.next = i % 2 == 0 ? bottom : null;
    bottom.witness = new Witness();
    bottom.witness.owner = bottom;
    return bottom;
  }

  private static Labelled labelled(int i) {
    Labelled labelled = new Labelled();
    labelled.number = i;
    labelled.ratio = -i;
    labelled.few = (short) (i * 1000);
    labelled.label = i % 4 == 0 ? null : "label " + i;
    labelled.witness = new Witness();
    labelled.witness.owner = labelled;
    return labelled;
  }

  private static void copyAndSee(Top original) throws Exception {
    Top copy = Wire.copy(original);
    see("copy", describe(copy));
    see("graph", copy);
  }

  @Test
  public void noFieldIsSetBeforeThoseOfAllClassesHaveBeenRead() throws Exception {
    List<Top> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(bottom(i));
      all.add(labelled(i));
    }
    for (Top copy : Wire.copy(all.toArray(new Top[0]))) {
      see("copy", describe(copy));
    }
    see("graph", Wire.copy(all));
    copyAndSee(all.get(6));
    copyAndSee(all.get(7));
  }

  @Test
  public void aSubclassBehindItsSuperclass() throws Exception {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Named named = new Named();
      named.name = "name " + i;
      named.any = i == 0 ? null : all.get(all.size() - 1);
      Empty empty = new Empty();
      empty.any = named;
      empty.number = i;
      Numbers numbers = new Numbers();
      numbers.few = (short) i;
      all.addAll(List.of(named, empty, numbers, new Top()));
    }
    see("graph", Wire.copy(all));
  }

  @Test
  public void chainsThroughSubclassesOfAnyLength() throws Exception {
    for (int length : new int[] {1, 10, 130, 500}) {
      Bottom first = null;
      for (int i = 0; i < length; i++) {
        Bottom bottom = new Bottom();
        bottom.number = i;
        bottom.name = "name " + i;
        bottom.next = first;
        first = bottom;
      }
      int count = 0;
      for (Bottom copy = Wire.copy(first); copy != null; copy = copy.next) {
        count += copy.name.equals("name " + copy.number) ? 1 : 1_000_000;
      }
      see(length + " objects", count);
    }
  }

  private static Lowest lowest(int i) {
    Lowest lowest = new Lowest();
    lowest.number = i;
    lowest.name = "name " + i;
    lowest.when = i;
    lowest.next = new Bottom();
    lowest.witness = new Witness();
    lowest.witness.owner = lowest;
    lowest.box = i;
    lowest.text = "text " + i;
    return lowest;
  }

  /** Reads objects of which the last one gets a value that does not fit. */
  private static void misfit(String label, Object[] all, Object from, Object to) throws Exception {
    byte[] bytes = Wire.writeReplacing(all, from, to);
    attempt(label + " among " + all.length, () -> Wire.read(bytes));
    see("left behind", describe(Witness.lastOwner));
  }

  @Test
  public void noFieldIsSetIfAValueOfAnyClassDoesNotFit() throws Exception {
    for (int count : new int[] {1, 3, 150}) {
      Object[] all = new Object[count];
      for (int i = 0; i < count; i++) {
        all[i] = lowest(i);
      }
      Lowest last = (Lowest) all[count - 1];
      misfit("of the upper class", all, last.name, 5);
      misfit("of the one below", all, last.next, "no object");
      misfit("of the lowest", all, last.text, List.of());
      misfit("another of the lowest", all, last.box, "one");
      last.text = last.name;
      misfit("of two", all, last.name, 5);
      last.any = last.next;
      misfit("of a class below one whose field fits", all, last.next, "no object");
      misfit("of none", all, last.text, "another text");
    }
  }
}
