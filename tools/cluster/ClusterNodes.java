import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.analysis.PreConfiguredTokenFilter;
import org.opensearch.index.analysis.PreConfiguredTokenizer;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;

/**
 * OpenSearch nodes in this JVM: one for each folder named as an argument, with its settings in
 * config/opensearch.yml. They end with the standard input, so that none outlives the process that
 * started them.
 */
public final class ClusterNodes {
  private static final String COMMON_ANALYSIS =
      "org.opensearch.analysis.common.CommonAnalysisModulePlugin";

  /** The names differ between OpenSearch 2 and 3: loads those on the class path. */
  private static final List<String> PLUGINS = List.of(
      "org.opensearch.transport.Netty4Plugin",
      "org.opensearch.transport.Netty4ModulePlugin",
      "org.opensearch.index.reindex.ReindexPlugin",
      "org.opensearch.index.reindex.ReindexModulePlugin",
      "org.opensearch.index.mapper.MapperExtrasPlugin",
      "org.opensearch.index.mapper.MapperExtrasModulePlugin",
      "org.opensearch.painless.PainlessModulePlugin",
      COMMON_ANALYSIS,
      "ClusterNodes$Analysis");

  /** Parts of the module above under their usual names, where it is not on Maven. */
  public static final class Analysis extends Plugin implements AnalysisPlugin {
    @Override
    public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
      return List.of(
          PreConfiguredTokenFilter.singleton("porter_stem", false, PorterStemFilter::new));
    }

    @Override
    public List<PreConfiguredTokenizer> getPreConfiguredTokenizers() {
      return List.of(PreConfiguredTokenizer.singleton("whitespace", WhitespaceTokenizer::new));
    }
  }

  /** A node with plugins from the class path. */
  private static final class ClassPathNode extends Node {
    /** @param plugins classes in OpenSearch 2, descriptions in OpenSearch 3 */
    @SuppressWarnings({"rawtypes", "unchecked"})
    ClassPathNode(Environment environment, Collection plugins) {
      super(environment, plugins, true);
    }
  }

  public static void main(String[] homes) throws IOException {
    List<Node> nodes = Arrays.stream(homes).map(ClusterNodes::create).toList();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> each(nodes, Node::close)));
    each(nodes, Node::start);
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }

  private static Node create(String home) {
    Settings settings = Settings.builder().put("path.home", home).build();
    Path config = Path.of(home, "config");
    return new ClassPathNode(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> home),
        plugins());
  }

  private static List<?> plugins() {
    boolean hasAnalysis = load(COMMON_ANALYSIS).findAny().isPresent();
    return PLUGINS.stream()
        .filter(name -> !hasAnalysis || !name.equals(Analysis.class.getName()))
        .flatMap(ClusterNodes::load)
        .toList();
  }

  private static Stream<?> load(String name) {
    try {
      Class<?> plugin = Class.forName(name);
      if (Version.CURRENT.major < 3) return Stream.of(plugin);
      String java = String.valueOf(Runtime.version().feature());
      return Stream.of(new PluginInfo(
          name, "on the class path", "NA", Version.CURRENT, java, name, null, List.of(), false));
    } catch (ClassNotFoundException absent) {
      return Stream.empty();
    }
  }

  private interface Step {
    void take(Node node) throws Exception;
  }

  /** In parallel: nodes wait for each other when a cluster starts. Any failure ends the JVM. */
  private static void each(List<Node> nodes, Step step) {
    List<Thread> threads = nodes.stream().map(node -> new Thread(() -> {
      try {
        step.take(node);
      } catch (Exception failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    })).toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
