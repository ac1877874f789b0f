package io.karmi.uka.format.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Programs that read on after a filter has refused an object. */
public class RefusedPartsTest {
  private static final ObjectInputFilter SMALL_ARRAYS =
      ObjectInputFilter.Config.createFilter("maxarray=3");

  /** Several of one class, so that the later ones refer to the description of the first. */
  private static final List<Date> DATES =
      List.of(new Date(1), new Date(2), new Date(3), new Date(4));

  private static List<String> outcomes(ObjectInputStream in) {
    in.setObjectInputFilter(SMALL_ARRAYS);
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      try {
        outcomes.add(String.valueOf(in.readObject()));
      } catch (IOException | ClassNotFoundException e) {
        outcomes.add(e.toString());
      }
    }
    return outcomes;
  }

  @Test
  public void findTheObjectsBehindIt() throws Exception {
    Map<Object, Object> map = new HashMap<>();
    DATES.forEach(each -> map.put(each, each));
    for (Object refused :
        List.of(
            map,
            new LinkedHashMap<>(map),
            new LinkedHashSet<>(DATES),
            new ArrayList<>(DATES),
            new ArrayDeque<>(DATES),
            DATES)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(refused);
        out.writeObject("behind");
        out.writeObject(DATES.get(3));
      }
      byte[] written = bytes.toByteArray();
      List<String> expected = outcomes(new ObjectInputStream(new ByteArrayInputStream(written)));
      assertThat(expected).contains("java.io.InvalidClassException: filter status: REJECTED");
      assertThat(outcomes(new UkaObjectInputStream(new ByteArrayInputStream(written))))
          .as("%s", refused.getClass())
          .isEqualTo(expected);
    }
  }
}
