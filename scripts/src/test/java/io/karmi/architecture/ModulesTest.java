package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.BeforeClass;
import org.junit.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The folders of the build, and the arrows between its modules, by their poms. */
public class ModulesTest {
  private static final Path ROOT = Path.of("..");

  /** Bottom up. */
  private static final List<String> ROOMS =
      List.of(
          "uka-serialization",
          "karmi-stubgen",
          "karmi-runtime",
          "technologies",
          "retrofit-tool",
          "rmi-benchmarks",
          "scripts");

  /** Modules by the names of their artifacts, in the order of the root pom. */
  private static final Map<String, Module> MODULES = new LinkedHashMap<>();

  /**
   * An arrow to another module of the build.
   *
   * @param to name of its artifact
   * @param scope compile, provided, runtime, test or import
   */
  private record Arrow(String to, String scope) {}

  private record Module(String folder, List<Arrow> arrows) {
    int room() {
      return ROOMS.indexOf(folder.split("/")[0]);
    }
  }

  @BeforeClass
  public static void readPoms() throws Exception {
    Element root = pom(ROOT);
    NodeList modules = child(root, "modules").getElementsByTagName("module");
    for (int i = 0; i < modules.getLength(); i++) {
      String folder = modules.item(i).getTextContent();
      Element pom = pom(ROOT.resolve(folder));
      MODULES.put(text(pom, "artifactId"), new Module(folder, arrowsOf(pom)));
    }
    assertThat(MODULES).hasSizeGreaterThan(ROOMS.size());
  }

  private static Element pom(Path folder) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("pom.xml").toFile());
    return document.getDocumentElement();
  }

  /** Its dependencies, those of its plugins and of its profiles, and its annotation processors. */
  private static List<Arrow> arrowsOf(Element pom) {
    List<Arrow> arrows = new ArrayList<>();
    for (String kind : List.of("dependency", "path")) {
      NodeList named = pom.getElementsByTagName(kind);
      for (int i = 0; i < named.getLength(); i++) {
        Element each = (Element) named.item(i);
        if ("io.karmi".equals(text(each, "groupId")) && !isManaged(each)) {
          String scope = text(each, "scope");
          arrows.add(new Arrow(text(each, "artifactId"), scope.isEmpty() ? "compile" : scope));
        }
      }
    }
    return arrows;
  }

  /** Whether it stands in a table of versions, and so is needed by nothing yet. */
  private static boolean isManaged(Element dependency) {
    Node list = dependency.getParentNode();
    return list.getParentNode().getNodeName().equals("dependencyManagement");
  }

  private static Element child(Element parent, String name) {
    for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }

  private static String text(Element parent, String name) {
    Element child = child(parent, name);
    return child == null ? "" : child.getTextContent().strip();
  }

  @Test
  public void foldersAtTheTopAreTheRooms() throws Exception {
    Set<String> expected = new TreeSet<>(ROOMS);
    expected.add("docs");
    try (Stream<Path> all = Files.list(ROOT)) {
      Set<String> folders =
          all.filter(Files::isDirectory)
              .map(folder -> folder.getFileName().toString())
              .filter(name -> !name.startsWith(".") && !name.equals("target"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(folders).isEqualTo(expected);
    }
  }

  @Test
  public void modulesNeedOnlyModulesThatAreListedBefore() {
    List<String> up = new ArrayList<>();
    List<String> before = new ArrayList<>();
    MODULES.forEach(
        (name, module) -> {
          for (Arrow arrow : module.arrows()) {
            if (!before.contains(arrow.to())) {
              up.add(name + " -> " + arrow.to());
            }
          }
          before.add(name);
        });
    assertThat(up).isEmpty();
  }

  @Test
  public void theBillOfMaterialsListsWhatIsPublished() throws Exception {
    Set<String> published = new TreeSet<>();
    for (Module module : MODULES.values()) {
      Element pom = pom(ROOT.resolve(module.folder()));
      Element properties = child(pom, "properties");
      if (properties != null && text(properties, "maven.deploy.skip").equals("false")) {
        published.add(text(pom, "artifactId"));
      }
    }
    Set<String> listed = new TreeSet<>();
    NodeList all = pom(ROOT.resolve("scripts/bom")).getElementsByTagName("dependency");
    for (int i = 0; i < all.getLength(); i++) {
      listed.add(text((Element) all.item(i), "artifactId"));
    }
    assertThat(published).contains("karmi").isEqualTo(listed);
  }

  /** Tests may need more, and all may need what needs nothing of KaRMI itself: the examples. */
  @Test
  public void arrowsBetweenRoomsRunDown() {
    List<String> up = new ArrayList<>();
    MODULES.forEach(
        (name, module) -> {
          for (Arrow arrow : module.arrows()) {
            Module target = MODULES.get(arrow.to());
            boolean needsNothing = target.arrows().isEmpty();
            if (!arrow.scope().equals("test") && target.room() > module.room() && !needsNothing) {
              up.add(module.folder() + " -> " + target.folder());
            }
          }
        });
    assertThat(up).isEmpty();
  }
}
