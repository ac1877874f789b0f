package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Elements of one class that refer to nothing are made in one loop, and none is mistaken. */
public class LeafRunsTest {
  /** Arrays before those of a test, so that code is generated. */
  private static final int WARM_UP = 300;

  /** More elements than get their handles together. */
  private static final int MANY = 2500;

  private static final UkaOptions OPTIONS = new UkaOptions(UkaOptions.Format.UKA);

  static class Place implements Serializable {
    private static final long serialVersionUID = 1;
    final double x;
    final int id;

    Place(double x, int id) {
      this.x = x;
      this.id = id;
    }
  }

  static final class Named extends Place {
    private static final long serialVersionUID = 1;
    final String name;

    Named(int id) {
      super(id, id);
      name = "n" + id;
    }
  }

  record Size(int width, int height) implements Serializable {}

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Gives one byte at a time, so that each element ends somewhere else in the buffer. */
  private static final class Drops extends InputStream {
    private final InputStream all;
    private final Random random = new Random(1);

    Drops(byte[] all) {
      this.all = new ByteArrayInputStream(all);
    }

    @Override
    public int read() throws IOException {
      return all.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return all.read(into, offset, Math.min(length, 1 + random.nextInt(40)));
    }
  }

  private static Place[] places(int count) {
    Place[] places = new Place[count];
    Arrays.setAll(places, i -> new Place(i * 0.5, 1000 * i));
    return places;
  }

  private byte[] written(Object value) throws IOException {
    bytes.reset();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, OPTIONS)) {
      for (int i = 0; i < WARM_UP; i++) {
        out.writeObject(places(3));
        out.reset();
      }
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private Object copy(Object value) throws Exception {
    byte[] written = written(value);
    Object whole = read(new ByteArrayInputStream(written), null);
    Object dropped = read(new Drops(written), null);
    assertThat(dropped).usingRecursiveComparison().isEqualTo(whole);
    return whole;
  }

  private static Object read(InputStream from, ObjectInputFilter filter) throws Exception {
    try (UkaObjectInputStream in = new UkaObjectInputStream(from, OPTIONS)) {
      if (filter != null) {
        in.setObjectInputFilter(filter);
      }
      for (int i = 0; i < WARM_UP; i++) {
        in.readObject();
      }
      return in.readObject();
    }
  }

  @Test
  public void aLongArrayArrivesAsItWas() throws Exception {
    Place[] places = places(MANY);

    assertThat(copy(places)).usingRecursiveComparison().isEqualTo(places);
  }

  @Test
  public void whatIsNoNewObjectOfTheClassStaysWhereItWas() throws Exception {
    Place[] places = places(MANY);
    places[7] = null;
    places[20] = places[3];
    places[21] = new Named(21);
    places[1024] = null;
    places[1500] = places[1499];
    places[MANY - 1] = places[0];

    Place[] copy = (Place[]) copy(places);

    assertThat(copy).usingRecursiveComparison().isEqualTo(places);
    assertThat(copy[20]).isSameAs(copy[3]);
    assertThat(copy[1500]).isSameAs(copy[1499]);
    assertThat(copy[MANY - 1]).isSameAs(copy[0]);
  }

  @Test
  public void laterReferencesFindEachElement() throws Exception {
    Place[] places = places(MANY);
    Place[] backwards = new Place[MANY];
    Arrays.setAll(backwards, i -> places[MANY - 1 - i]);

    Object[] copy = (Object[]) copy(new Object[] {places, backwards, "end"});

    for (int i = 0; i < MANY; i++) {
      assertThat(((Object[]) copy[1])[i]).isSameAs(((Object[]) copy[0])[MANY - 1 - i]);
    }
    assertThat(copy[2]).isEqualTo("end");
  }

  @Test
  public void numbersOfAllWidthsArriveInOneArray() throws Exception {
    Random random = new Random(2);
    Place[] places = new Place[MANY];
    Arrays.setAll(places, i -> new Place(i, random.nextInt() >> random.nextInt(32)));

    assertThat(copy(places)).usingRecursiveComparison().isEqualTo(places);
  }

  @Test
  public void listsAndRecordsArriveAsTheyWere() throws Exception {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      list.add(i % 100 == 99 ? new Size(i, -i) : new Place(i, i));
    }

    assertThat(copy(list)).usingRecursiveComparison().isEqualTo(list);
  }

  @Test
  public void aFilterCountsEachElement() throws Exception {
    long[] references = new long[1];
    ObjectInputFilter counting =
        info -> {
          references[0] = Math.max(references[0], info.references());
          return ObjectInputFilter.Status.UNDECIDED;
        };
    Object[] value = {places(MANY), new Size(1, 2)};

    read(new ByteArrayInputStream(written(value)), counting);

    assertThat(references[0]).as("references that were counted").isGreaterThan(MANY);
  }

  @Test
  public void elementsOfAnotherClassThanTheArraysAreRefused() throws Exception {
    byte[] forged = written(new Object[] {new Place[0], places(50)});
    String name = "[L" + Place.class.getName() + ";";
    byte[] from = name.getBytes(StandardCharsets.ISO_8859_1);
    byte[] to = ("[L" + Other.class.getName() + ";").getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i + from.length <= forged.length; i++) {
      if (Arrays.equals(forged, i, i + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, forged, i, to.length);
      }
    }

    Throwable refusal = catchThrowable(() -> read(new ByteArrayInputStream(forged), null));

    assertThat(refusal)
        .isInstanceOfAny(IOException.class, ClassCastException.class, ArrayStoreException.class);
  }

  /** Has a name as long as that of {@link Place}. */
  static final class Other implements Serializable {
    private static final long serialVersionUID = 1;
  }
}
